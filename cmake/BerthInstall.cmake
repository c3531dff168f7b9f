# Installs the program, the kubectl plugin link, the manifests, the samples and the licence (`make
# install`).
include_guard(GLOBAL)
include(GNUInstallDirs)

if(NOT TARGET berth) # with BERTH_ONLY
  return()
endif()

install(TARGETS berth RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
file(CREATE_LINK berth "${PROJECT_BINARY_DIR}/kubectl-berth" SYMBOLIC)
install(FILES "${PROJECT_BINARY_DIR}/kubectl-berth" DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(DIRECTORY deploy DESTINATION "${CMAKE_INSTALL_DATADIR}/berth")
install(DIRECTORY samples DESTINATION "${CMAKE_INSTALL_DOCDIR}" USE_SOURCE_PERMISSIONS)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
