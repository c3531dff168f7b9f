# Writes OUT, a C++ source that defines ProtobufTable(), from the text in FILE.
# cmake -DFILE=... -DOUT=... -P embed.cmake
file(STRINGS "${FILE}" lines)
set(text "// Generated from sandbox/apiserver/rest/protobuf/messages.txt by embed.cmake.\n#include \"sandbox/apiserver/rest/protobuf/protobuf_table.h\"\n")
string(APPEND text "namespace berth::apiserver {\nstd::span<const std::string_view> ProtobufTable() {\n")
string(APPEND text "  static constexpr std::string_view kLines[] = {\n")
foreach(line IN LISTS lines)
  string(APPEND text "    \"${line}\",\n")
endforeach()
string(APPEND text "  };\n  return kLines;\n}\n}  // namespace berth::apiserver\n")
file(WRITE "${OUT}" "${text}")
