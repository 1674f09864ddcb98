// The least that simdjson can do with logs: parse each record below the given folders. Without one, prints its version.
#include <filesystem>
#include <iostream>
#include <simdjson.h>

int main(int argc, char **argv) {
  if (argc == 1) {
    std::cout << simdjson::SIMDJSON_VERSION_MAJOR << "." << simdjson::SIMDJSON_VERSION_MINOR << "."
              << simdjson::SIMDJSON_VERSION_REVISION << "\n";
    return 0;
  }
  simdjson::dom::parser parser;
  size_t documents = 0;
  for (int i = 1; i < argc; i++)
    for (const auto &entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      if (!entry.is_regular_file() || entry.path().extension() != ".jsonl") continue;
      simdjson::padded_string text;
      simdjson::dom::document_stream stream;
      if (simdjson::padded_string::load(entry.path().string()).get(text)) return 1;
      if (parser.parse_many(text).get(stream)) return 1;
      for (auto document : stream) documents += document.error() == simdjson::SUCCESS;
    }
  std::cout << documents << "\n";
}
