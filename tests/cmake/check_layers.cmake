# Script mode: checks with the layer table that FOLDER may use DEPS.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../../cmake/BerthLayers.cmake")
berth_check_layers(${FOLDER} ${DEPS})
message("edges of ${FOLDER} allowed")
