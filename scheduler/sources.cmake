target_sources(berth_scheduler PRIVATE
  assumption.cc
  attempt.cc
  binding_cycle.cc
  event_routing.cc
  failure_handler.cc
  scheduler.cc
  waiting_pods.cc)
