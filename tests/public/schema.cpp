// SPDX-License-Identifier: MIT
// A program that prints the schema of a resource and the description of the interface.
#include <bankhook/schema.hpp>

#include <string>

int main() {
  const std::string schema = bankhook::json_schema<bankhook::Account>();
  const bool has_field = schema.find("accountHash") != std::string::npos;
  return has_field && bankhook::asyncapi().find("bank_connections_update_v2") != std::string::npos ? 0 : 1;
}
