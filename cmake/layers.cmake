# The layers of Berth, lowest first: berth_layer(<folder> <folders it names>).
# A folder may include what its row names and what those may include, and nothing else. berth_library() refuses any
# other edge when the build is configured; scripts/check-layers reads these same rows and looks at the #include lines.
berth_layer(base)
berth_layer(api base)
berth_layer(crds api)
berth_layer(scheduler api)
berth_layer(scenario scheduler)
berth_layer(http base)
berth_layer(client api http)
berth_layer(apiserver api http)
berth_layer(engine scheduler client)
berth_layer(controllers crds client scheduler)
berth_layer(simulation client)
berth_layer(operator base api crds scheduler scenario http client apiserver engine controllers simulation)
berth_layer(bench base api crds scheduler scenario http client apiserver engine controllers simulation)
