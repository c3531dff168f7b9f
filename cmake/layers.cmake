# The layers of Berth, lowest first: berth_layer(<folder> <used folder>...).
# A folder may include only the folders of its row and, transitively, the folders of their rows.
# berth_library() rejects any other edge between libraries at configuration; scripts/check-layers
# reads the same rows and checks the #include lines, also between the parts of a library. A file belongs to the row with the longest prefix of its path. The
# product does not use sandbox/.
berth_layer(base)
berth_layer(cel base)
berth_layer(api base)
berth_layer(crds api cel)
berth_layer(convert crds)
# The library scheduler/ has parts, which follow the same rule among themselves.
berth_part(scheduler/model api cel)
berth_part(scheduler/framework scheduler/model)
berth_part(scheduler/cache scheduler/model)
berth_part(scheduler/queue scheduler/framework)
berth_part(scheduler/preemption scheduler/framework)
berth_part(scheduler/plugins scheduler/preemption)
berth_part(scheduler/attempt scheduler/cache scheduler/queue)
berth_part(scheduler/gangs scheduler/attempt)
berth_layer(scheduler scheduler/plugins scheduler/gangs)
berth_layer(scenario scheduler)
berth_layer(http base)
berth_layer(client api http)
berth_layer(engine scheduler client)
berth_layer(controllers crds client scheduler)
berth_layer(extender crds scheduler client engine controllers)
berth_layer(operator base api crds convert scheduler http client engine controllers extender)
berth_layer(sandbox/apiserver api cel http)
berth_layer(sandbox/simulation client)
berth_layer(sandbox base operator sandbox/apiserver sandbox/simulation)
berth_layer(bench base api scheduler engine scenario http client sandbox/apiserver sandbox/simulation)
