# Reads the layer table and checks the dependencies of folders.
include_guard(GLOBAL)

set(BERTH_LAYERS "")
set(BERTH_PARTS "")

# berth_layer(<folder> [<used folder>...]) is one row of cmake/layers.cmake. The lowest layer comes first.
# A row can only name folders above it, so the closure of each folder is known when its row is read.
macro(berth_layer folder)
  _berth_row(${folder} ${ARGN})
  list(APPEND BERTH_LAYERS ${folder})
endmacro()

# berth_part(<folder> [<used folder>...]) is the row of a folder that belongs to the library of its parent
# folder.
macro(berth_part folder)
  _berth_row(${folder} ${ARGN})
  list(APPEND BERTH_PARTS ${folder})
endmacro()

# Sets BERTH_MAY_INCLUDE_<folder> to the closure of the used folders.
macro(_berth_row folder)
  set(_closure "")
  foreach(_used ${ARGN})
    if(NOT _used IN_LIST BERTH_LAYERS AND NOT _used IN_LIST BERTH_PARTS)
      message(FATAL_ERROR "cmake/layers.cmake: the row of ${folder} names ${_used}, which has no row above it")
    endif()
    list(APPEND _closure ${_used} ${BERTH_MAY_INCLUDE_${_used}})
  endforeach()
  list(REMOVE_DUPLICATES _closure)
  set(BERTH_MAY_INCLUDE_${folder} ${_closure})
endmacro()

include("${CMAKE_CURRENT_LIST_DIR}/layers.cmake")

# berth_check_layers(<folder> <dep>...) fails at the first edge that the table does not allow. CMake does
# not wrap indented message lines, so names stay on one line.
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

# berth_selected_folders(<out>) sets <out> to the folders to build: all folders, or those of BERTH_ONLY and
# their allowed dependencies.
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
