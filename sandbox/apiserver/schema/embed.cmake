# Writes OUT, a C++ source that defines BuiltinTables(), from the JSON files in DIR. Run as
# cmake -DDIR=... -DOUT=... -P embed.cmake
file(GLOB tables "${DIR}/*.json")
list(SORT tables)
set(text "// Generated from sandbox/apiserver/schema/builtin by embed.cmake.\n#include \"sandbox/apiserver/schema/builtin_tables.h\"\n")
string(APPEND text "namespace berth::apiserver {\nstd::span<const std::string_view> BuiltinTables() {\n")
string(APPEND text "  static constexpr std::string_view kTables[] = {\n")
foreach(table IN LISTS tables)
  # Bracket arguments keep semicolons and brackets of the text as they are.
  file(READ "${table}" content)
  string(APPEND text "R\"table(" "${content}" ")table\",\n")
endforeach()
string(APPEND text "  };\n  return kTables;\n}\n}  // namespace berth::apiserver\n")
file(WRITE "${OUT}" "${text}")
