// SPDX-License-Identifier: Apache-2.0
// What most tests include, read once in builds with BERTH_QUICK.
#pragma once

#include "berth_pch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
