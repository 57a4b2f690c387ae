// A page from the JSON of `mikpoly bench`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace mikpoly::bench {

// Text for HTML and SVG, attribute values included.
std::string escape_html(const std::string& text);

// One self-contained page: machine and method, a table a suite and peer, ratios over the size of
// the problem as SVG, worst cases, all rows. Throws nlohmann::json::exception where `bench` is not
// such a JSON.
std::string html_report(const nlohmann::ordered_json& bench);

}  // namespace mikpoly::bench
