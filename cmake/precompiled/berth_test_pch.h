// SPDX-License-Identifier: Apache-2.0
// The headers that most tests include, precompiled in builds with BERTH_BATCHES.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth_pch.h"
