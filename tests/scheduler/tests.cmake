berth_test(NAME scheduler_loop_test DEPS scheduler_testing scheduler
  SOURCES
    failure_handler_test.cc
    scheduler_binding_test.cc
    scheduler_property_test.cc
    scheduler_test.cc
    scripted.cc
    waiting_pods_test.cc)
