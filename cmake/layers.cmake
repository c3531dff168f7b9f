# The layers of Berth, lowest first: berth_layer(<folder> <folders it names>).
# A folder may include what its row names and what those may include, and nothing else. berth_library() refuses any
# other edge when the build is configured; scripts/check-layers reads these same rows and looks at the #include lines.
# A file belongs to the longest row that its path begins with. Nothing of the product names sandbox/.
berth_layer(base)
berth_layer(cel base)
berth_layer(api base)
berth_layer(crds api cel)
berth_layer(convert crds)
berth_layer(scheduler api cel)
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
