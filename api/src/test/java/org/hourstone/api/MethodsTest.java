package org.hourstone.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.hourstone.TsdbOptions;
import org.hourstone.api.request.Disconnection;
import org.hourstone.api.request.Role;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A method that an endpoint never takes is refused before anything else of the request is read. */
class MethodsTest extends RequestCase {
  private static final List<String> METHODS =
      List.of("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "get");

  @ParameterizedTest
  @CsvSource({
    "/aggregators,                GET POST",
    "/logs,                       GET",
    "/q,                          GET POST",
    "/stats,                      GET POST",
    "/suggest,                    GET POST",
    "/version,                    GET POST",
    "/api/aggregators,            GET POST",
    "/api/annotation,             GET POST PUT DELETE",
    "/api/annotation/bulk,        POST PUT DELETE",
    "/api/annotations,            GET",
    "/api/cardinality,            GET",
    "/api/config,                 GET POST",
    "/api/config/filters,         GET POST",
    "/api/dropcaches,             GET POST",
    "/api/export,                 GET",
    "/api/histogram,              POST",
    "/api/import/prometheus,      POST",
    "/api/put,                    POST",
    "/api/query,                  GET POST DELETE",
    "/api/query/exp,              POST",
    "/api/query/gexp,             GET",
    "/api/query/last,             GET POST",
    "/api/query/running,          GET DELETE",
    "/api/read,                   POST",
    "/api/rollup,                 POST",
    "/api/search/lookup,          GET POST",
    "/api/stats,                  GET POST",
    "/api/stats/jvm,              GET POST",
    "/api/stats/query,            GET POST",
    "/api/stats/region_clients,   GET POST",
    "/api/stats/threads,          GET POST",
    "/api/status,                 GET",
    "/api/suggest,                GET POST",
    "/api/tree,                   GET POST PUT DELETE",
    "/api/tree/branch,            GET",
    "/api/tree/collisions,        GET POST PUT",
    "/api/tree/notmatched,        GET POST PUT",
    "/api/tree/rule,              GET POST PUT DELETE",
    "/api/tree/rules,             POST PUT DELETE",
    "/api/tree/test,              GET POST PUT",
    "/api/uid/assign,             GET POST",
    "/api/uid/rename,             GET POST",
    "/api/uid/tsmeta,             GET POST PUT DELETE",
    "/api/uid/uidmeta,            GET POST PUT DELETE",
    "/api/version,                GET POST",
    "/api/write,                  POST",
  })
  void aMethodIsRefusedBeforeParametersAndBody(String path, String taken) {
    for (String method : METHODS) {
      boolean takes = List.of(taken.split(" ")).contains(method);
      for (String odd : new String[] {"", "?tags=x", "?ms=maybe", "?treeid=1&treeid=2&limit="}) {
        assertThat(respond(method, path + odd, "{'a':").startsWith("405 "))
            .as("%s %s%s", method, path, odd)
            .isEqualTo(!takes);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "PUT,   /api/query,    405",
    "PATCH, /api/put,      405",
    "GET,   /api/nothing,  404",
    "GET,   /api/query,    400",
    "POST,  /api/put,      400",
  })
  void aMethodIsRefusedAlsoIfTheParametersCannotBeRead(String method, String path, int status) {
    for (String odd : new String[] {"?x=%zz", "?x=%ff", "?%"}) {
      assertThat(received(method, path + odd)).as(odd).isEqualTo(status);
    }
  }

  /** The method that is meant is among what can't be read. */
  @Test
  void aMethodThatIsOverriddenIsNotJudged() {
    assertThat(received("GET", "/api/put?method_override=POST&x=%zz")).isEqualTo(400);
  }

  @Test
  void inStrictModeTheParametersAreReadFirst() {
    open(TsdbOptions.openTsdbDefaults());
    assertThat(received("PUT", "/api/query?x=%zz")).isEqualTo(400);
  }

  private int received(String method, String uri) {
    Disconnection client = new Disconnection();
    int whole = api.respond(method, uri, "", client, Role.all()).status();
    assertThat(api.respond(method, uri, "", new byte[0], client, Role.all()).status())
        .isEqualTo(whole);
    return whole;
  }

  @Test
  void anUnknownPathIsNotAMatterOfMethods() {
    assertThat(respond("PATCH", "/api/nothing?tags=x", "")).startsWith("404 ");
  }
}
