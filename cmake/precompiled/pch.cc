// SPDX-License-Identifier: Apache-2.0
// A source for the library that compiles the precompiled headers.
