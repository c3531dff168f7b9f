# Reads the layer table and answers what a folder may include.
include_guard(GLOBAL)

set(BERTH_LAYERS "")

# berth_layer(<folder> [<used folder>...]) is one row of cmake/layers.cmake. Rows stand lowest first, so a row can only
# name folders above it, and the closure of each is complete when the row is read.
macro(berth_layer folder)
  set(_closure "")
  foreach(_used ${ARGN})
    if(NOT _used IN_LIST BERTH_LAYERS)
      message(FATAL_ERROR "cmake/layers.cmake: the row of ${folder} names ${_used}, which has no row above it")
    endif()
    list(APPEND _closure ${_used} ${BERTH_MAY_INCLUDE_${_used}})
  endforeach()
  list(REMOVE_DUPLICATES _closure)
  set(BERTH_MAY_INCLUDE_${folder} ${_closure})
  list(APPEND BERTH_LAYERS ${folder})
endmacro()

include("${CMAKE_CURRENT_LIST_DIR}/layers.cmake")

# berth_check_layers(<folder> <dep>...) stops the configuration at the first edge the table does not allow. Indented lines
# of a message are printed as they stand, so that a name is never broken over two lines.
function(berth_check_layers folder)
  if(NOT folder IN_LIST BERTH_LAYERS)
    list(JOIN BERTH_LAYERS ", " known)
    message(FATAL_ERROR "No layer is called ${folder} (cmake/layers.cmake)\n  known: ${known}")
  endif()
  list(JOIN BERTH_MAY_INCLUDE_${folder} ", " allowed)
  if(NOT allowed)
    set(allowed "no other folder")
  endif()
  foreach(dep IN LISTS ARGN)
    if(NOT dep IN_LIST BERTH_MAY_INCLUDE_${folder})
      message(FATAL_ERROR "Wrong layer edge (cmake/layers.cmake)\n"
                          "  ${folder} -> ${dep} in ${folder}/CMakeLists.txt\n"
                          "  ${folder} may use: ${allowed}")
    endif()
  endforeach()
endfunction()

# berth_selected_folders(<out>) sets <out> to the folders to build: all, or BERTH_ONLY with all they may include.
function(berth_selected_folders out)
  set(selected "")
  foreach(folder IN LISTS BERTH_LAYERS)
    foreach(wanted IN LISTS BERTH_ONLY)
      if(NOT wanted IN_LIST BERTH_LAYERS)
        list(JOIN BERTH_LAYERS ", " known)
        message(FATAL_ERROR "BERTH_ONLY names ${wanted}; known folders: ${known}")
      endif()
      if(folder STREQUAL wanted OR folder IN_LIST BERTH_MAY_INCLUDE_${wanted})
        list(APPEND selected ${folder})
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES selected)
  if(NOT BERTH_ONLY)
    set(selected ${BERTH_LAYERS})
  endif()
  set(${out} ${selected} PARENT_SCOPE)
endfunction()
