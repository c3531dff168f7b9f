// SPDX-License-Identifier: Apache-2.0
// Gives the precompiled headers something to be compiled with.
