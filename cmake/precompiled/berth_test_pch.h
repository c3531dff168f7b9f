// SPDX-License-Identifier: Apache-2.0
// What most tests include, read once in builds with BERTH_BATCHES.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth_pch.h"
