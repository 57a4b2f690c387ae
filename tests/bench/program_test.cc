// The program as users start it: exit codes, messages, files.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace mikpoly::bench {
namespace {

namespace fs = std::filesystem;

struct Outcome {
  int code = -1;
  std::string output;  // standard output and error together
};

class ProgramTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("mikpoly_program_test_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static Outcome run(const std::string& arguments) {
    Outcome outcome;
    const std::string command = std::string("\"") + MIKPOLY_PROGRAM + "\" " + arguments + " 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return outcome;
    char buffer[4096];
    while (const std::size_t count = fread(buffer, 1, sizeof(buffer), pipe)) {
      outcome.output.append(buffer, count);
    }
    const int status = pclose(pipe);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
  }

  // Exit code 2 and one line that holds `part`.
  static void expect_refused(const std::string& arguments, const std::string& part) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments << "\n" << outcome.output;
    EXPECT_NE(outcome.output.find(part), std::string::npos) << outcome.output;
    EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '\n'), 1) << outcome.output;
  }

  std::string path(const char* name) const { return (folder_ / name).string(); }
  void write(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::string read(const char* name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name).rdbuf();
    return text.str();
  }

  fs::path folder_;
};

TEST_F(ProgramTest, HelpOfEverySubcommand) {
  EXPECT_EQ(run("--help").code, 0);
  EXPECT_EQ(run("--version").code, 0);
  for (const char* name : {"info", "plan", "tune", "verify", "bench", "report", "soak"}) {
    const Outcome outcome = run(std::string(name) + " --help");
    EXPECT_EQ(outcome.code, 0) << name;
    EXPECT_NE(outcome.output.find("Usage"), std::string::npos) << name;
  }
}

TEST_F(ProgramTest, BadCommandsAreRefusedInOneLine) {
  expect_refused("", "subcommand");
  expect_refused("dance", "dance");
  expect_refused("bench", "--suite");
  expect_refused("bench --suite nope", "unknown suite \"nope\"");
  expect_refused("bench --suite quick --vs nope", "unknown peer \"nope\"");
  expect_refused("bench --suite quick --backend nope", "unknown backend \"nope\"");
  expect_refused("bench --suite quick --dtype nope", "unknown dtype \"nope\"");
  expect_refused("bench --suite quick --trans NX", "NX");
  expect_refused("bench --suite quick --weights odd", "--weights");
  expect_refused("bench --suite quick --threads -1", "--threads");
  expect_refused("bench --suite quick --budget soon", "--budget");
  expect_refused("bench --suite quick --limit x", "--limit");
  expect_refused("bench --shapes " + path("missing.csv"), "can't be read");
  expect_refused("bench --suite quick --json " + path("missing/out.json"), "not a directory");
  expect_refused("bench --suite quick --json " + folder_.string(), "is a directory");
  expect_refused("bench --suite quick --profile " + path("missing.json"), "profile");
  expect_refused("plan 1 2", "K");
  expect_refused("plan -1 2 3", "m is -1");
  expect_refused("plan 4 4 4 --svg " + path("missing/x.svg"), "--svg");
  expect_refused("verify --op dance", "dance");
  expect_refused("verify --cases 0", "--cases");
  expect_refused("soak --shapes 0", "--shapes");
  expect_refused("soak --shapes 5 --json " + path("missing/out.json"), "--json");
  expect_refused("tune --budget none", "--budget");
  expect_refused("report " + path("missing.json") + " --html " + path("x.html"), "can't be read");
}

TEST_F(ProgramTest, ARefusalChangesNothing) {
  write("out.json", "precious");
  write("bad.csv", "gemm,1,2,3\ngemm,1,two,3\n");
  expect_refused("bench --shapes " + path("bad.csv") + " --json " + path("out.json"),
                 "bad.csv:2: n is \"two\"");
  EXPECT_EQ(read("out.json"), "precious");
  write("foreign.json", "{\"a\": 1}");
  write("page.html", "precious");
  expect_refused("report " + path("foreign.json") + " --html " + path("page.html"),
                 "not the JSON of mikpoly bench");
  EXPECT_EQ(read("page.html"), "precious");
}

TEST_F(ProgramTest, InfoNamesBackendsAndPeers) {
  const Outcome outcome = run("info");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  for (const char* part : {"device", "profile", "backend   ref", "peer      openblas"}) {
    EXPECT_NE(outcome.output.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(outcome.output.find('\033'), std::string::npos);
}

TEST_F(ProgramTest, PlanPrintsExplainsAndDraws) {
  const Outcome outcome = run("plan 300 200 100 --explain --svg " + path("p.svg"));
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("300x200x100"), std::string::npos);
  EXPECT_NE(outcome.output.find("planning took"), std::string::npos);
  EXPECT_NE(read("p.svg").find("<svg"), std::string::npos);
}

TEST_F(ProgramTest, VerifyPasses) {
  const Outcome outcome = run("verify --cases 60 --seed 3");
  EXPECT_EQ(outcome.code, 0) << outcome.output;
  EXPECT_NE(outcome.output.find("60 cases"), std::string::npos);
}

TEST_F(ProgramTest, SoakWritesItsJson) {
  const Outcome outcome = run("soak --shapes 300 --json " + path("soak.json"));
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  const auto json = nlohmann::json::parse(read("soak.json"));
  for (const char* name : {"p50", "p99", "max"}) EXPECT_TRUE(json["plan_us"].contains(name));
  for (const char* name : {"hit_ns", "rss_growth_mb", "cache_bytes"}) {
    EXPECT_TRUE(json[name].is_number()) << name;
  }
  EXPECT_EQ(json["shapes"], 300);
}

TEST_F(ProgramTest, BenchCountsEveryRowAndReports) {
  write("mine.csv",
        "op,m,n,k,batch,trans,dtype\ngemm,33,17,65\ngemm,64,64,64,1,NT\ngemm,8,8,8,4\n"
        "gemm,8,8,8,1,NN,bf16\nconv,1,3,8,8,4,3,3,1,1,1,1,1,1,1,1,1\n");
  const Outcome outcome =
      run("bench --shapes " + path("mine.csv") + " --budget 2s --json " + path("out.json"));
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  const auto json = nlohmann::json::parse(read("out.json"));
  ASSERT_EQ(json["cases"].size(), 5U);
  int unsupported = 0;
  for (const auto& row : json["cases"]) {
    EXPECT_EQ(row["suite"], "mine");
    if (row["status"] == "unsupported") {
      ++unsupported;
      EXPECT_FALSE(row["reason"].get<std::string>().empty());
      continue;
    }
    EXPECT_EQ(row["ok"], true);
    EXPECT_GT(row["ours"]["warm_us"].get<double>(), 0);
    EXPECT_GT(row["ours"]["first_us"].get<double>(), 0);
    EXPECT_FALSE(row["plan"].get<std::string>().empty());
    EXPECT_GT(row["plan_us"].get<double>(), 0);
  }
  EXPECT_EQ(unsupported, 3);
  EXPECT_EQ(json["counts"]["mine"]["unsupported"], 3);
  EXPECT_EQ(outcome.output.find('\033'), std::string::npos);
  const Outcome page = run("report " + path("out.json") + " --html " + path("out.html"));
  EXPECT_EQ(page.code, 0) << page.output;
  EXPECT_NE(read("out.html").find("</html>"), std::string::npos);
}

TEST_F(ProgramTest, OracleRunsTheCandidates) {
  const Outcome outcome = run(
      "bench --suite wave-probe --limit 1 --budget 2s --oracle --oracle-limit 1 --oracle-plans 8 "
      "--json " +
      path("out.json"));
  ASSERT_EQ(outcome.code, 0) << outcome.output;
  const auto oracle = nlohmann::json::parse(read("out.json"))["summary"]["oracle"];
  EXPECT_EQ(oracle["count"], 1);
  EXPECT_GT(oracle["geomean"].get<double>(), 0);
  EXPECT_LE(oracle["geomean"].get<double>(), 1);
  EXPECT_GE(oracle["plans"].get<int>(), 1);
}

}  // namespace
}  // namespace mikpoly::bench
