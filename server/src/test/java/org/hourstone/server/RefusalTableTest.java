package org.hourstone.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.hourstone.api.EndpointPaths;
import org.hourstone.api.request.RefusalReason;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each reason of a refusal, by each way into the server: it moves its counter by one, and the log
 * has its line. The reason of a handshake is in {@link TlsTest}: nothing is sent before it. A
 * reason, an endpoint or a command of telnet that the table does not have fails.
 *
 * <p>P: it is counted as a refused point, W: as another write, or as a request of whoever may not
 * make it, Q: as a query, -: no such request is refused for this reason, or it only reads.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class RefusalTableTest {
  private static final String TABLE =
      """
                                       illegal_arguments
                                       | invalid_values
                                       | | unknown_metrics
                                       | | | hbase_errors
                                       | | | | disk_reserve
                                       | | | | | series_limit
                                       | | | | | | overloads
                                       | | | | | | | failed_logins
                                       | | | | | | | | internal_errors
      telnet put                     = P P P P P P P P P
      telnet rollup                  = P P P P P P P P P
      telnet histogram               = P - P P P P P P P
      telnet unknown                 = W - - - - - W W -
      telnet stats                   = W - - - - - W W -
      telnet version                 = W - - - - - W W -
      telnet help                    = W - - - - - W W -
      telnet dropcaches              = W - - - - - W W -
      telnet status                  = W - - - - - W W -
      POST /api/put                  = P P P P P P P P P
      POST /api/rollup               = P P P P P P P P P
      POST /api/histogram            = P - P P P P P P P
      POST /v1/metrics in JSON       = P - P P P P P P P
      POST /v1/metrics in protobuf   = P - P P P P P P P
      POST /api/write                = P - P P P P P P P
      POST /api/import/prometheus    = P - P P P P P P P
      POST /write                    = P - P P P P P P P
      POST /api/v2/write             = P - P P P P P P P
      POST /query                    = W - - - - - W W -
      POST /api/annotation           = W - - W W - W W W
      POST /api/annotation/bulk      = W - - W W - W W W
      POST /api/uid/assign           = W - - W W - W W W
      POST /api/uid/rename           = W - - W W - W W W
      POST /api/uid/uidmeta          = W - - W W - W W W
      POST /api/uid/tsmeta           = W - - W W - W W W
      POST /api/tree                 = W - - W W - W W W
      POST /api/tree/rule            = W - - W W - W W W
      POST /api/tree/rules           = W - - W W - W W W
      GET /api/tree/branch           = - - - - - - - W -
      GET /api/tree/test             = - - - - - - - W -
      GET /api/tree/collisions       = - - - - - - - W -
      GET /api/tree/notmatched       = - - - - - - - W -
      POST /api/admin/backup         = W - - - - - W W -
      POST /api/admin/jobs           = W - - - - - W W -
      POST /api/admin/reload         = W - - - - - W W -
      GET /api/dropcaches            = W - - - - - W W -
      GET /logs                      = W - - - - - W W -
      DELETE /api/query/running      = W - - - - - W W -
      GET /ping                      = W - - - - - W W -
      GET /health                    = W - - - - - W W -
      GET /api/query                 = Q - - Q - - Q W Q
      GET /q                         = Q - - Q - - Q W Q
      POST /api/query/exp            = Q - - Q - - Q W Q
      GET /api/query/gexp            = Q - - Q - - Q W Q
      GET /api/query/last            = Q - - Q - - Q W Q
      GET /api/export                = Q - - Q - - Q W Q
      POST /api/read                 = Q - - Q - - Q W Q
      GET /aggregators               = - - - - - - - W -
      GET /stats                     = - - - - - - - W -
      GET /version                   = - - - - - - - W -
      GET /suggest                   = - - - - - - - W -
      GET /api/aggregators           = - - - - - - - W -
      GET /api/annotations           = - - - - - - - W -
      GET /api/cardinality           = - - - - - - - W -
      GET /api/config                = - - - - - - - W -
      GET /api/config/filters        = - - - - - - - W -
      GET /api/search/lookup         = - - - - - - - W -
      GET /api/stats                 = - - - - - - - W -
      GET /api/stats/jvm             = - - - - - - - W -
      GET /api/stats/query           = - - - - - - - W -
      GET /api/stats/region_clients  = - - - - - - - W -
      GET /api/stats/threads         = - - - - - - - W -
      GET /api/status                = - - - - - - - W -
      GET /api/suggest               = - - - - - - - W -
      GET /api/version               = - - - - - - - W -
      """;

  private static final String RPC = "tsd.rpc.errors ";
  private static final String QUERY = "tsd.query.errors ";
  private static final String FAILED = "tsd.datapoints.failed ";

  /** The number of refusals for one reason that have a line each, in the log of one server. */
  private static final int LOGGED = 3;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  @TempDir private Path directory;

  private static List<String> reasons() {
    return TABLE
        .lines()
        .filter(line -> !line.contains("="))
        .map(line -> line.replace("|", "").strip())
        .toList();
  }

  private static Map<String, Map<RefusalReason, Character>> rows() {
    List<String> columns = reasons().stream().map(each -> each.toUpperCase(Locale.ROOT)).toList();
    Map<String, Map<RefusalReason, Character>> rows = new LinkedHashMap<>();
    for (String line : TABLE.lines().filter(each -> each.contains("=")).toList()) {
      String[] halves = line.split("=", 2);
      String[] cells = halves[1].strip().split(" ");
      Map<RefusalReason, Character> row = new EnumMap<>(RefusalReason.class);
      for (int i = 0; i < cells.length; i++) {
        row.put(RefusalReason.valueOf(columns.get(i)), cells[i].charAt(0));
      }
      rows.put(halves[0].strip(), row);
    }
    return rows;
  }

  private static String type(RefusalReason reason) {
    return reason.name().toLowerCase(Locale.ROOT);
  }

  @Test
  void theTableHasEachReason() {
    assertThat(reasons())
        .containsExactlyElementsOf(
            Stream.of(RefusalReason.values())
                .filter(reason -> reason != RefusalReason.FAILED_HANDSHAKES)
                .map(RefusalTableTest::type)
                .toList());
  }

  @Test
  void theTableHasEachEndpointAndCommand() throws IOException {
    assertThat(rows().keySet())
        .containsExactlyInAnyOrderElementsOf(
            RefusingDoor.all().stream().map(RefusingDoor::name).toList());
    Set<String> paths = new TreeSet<>();
    Set<String> commands = new TreeSet<>(Set.of("exit")); // which is never refused
    for (RefusingDoor door : RefusingDoor.all()) {
      (door.isTelnet() ? commands : paths).add(door.path());
    }
    try (Served served = Served.start();
        Client client = served.connect()) {
      assertThat(paths).isEqualTo(new TreeSet<>(EndpointPaths.of(served.db())));
      client.send("help\n");
      String help = client.line().replaceFirst("available commands: ", "unknown ");
      assertThat(commands).isEqualTo(new TreeSet<>(Arrays.asList(help.split(" "))));
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "FAILED_HANDSHAKES")
  void eachRefusalMovesItsCounterAndWritesItsLine(RefusalReason reason) throws IOException {
    List<String> faults = new ArrayList<>();
    Map<String, Map<RefusalReason, Character>> rows = rows();
    RefusingServer server = null;
    int logged = 0;
    try {
      for (RefusingDoor door : RefusingDoor.all()) {
        char cell =
            Objects.requireNonNull(Objects.requireNonNull(rows.get(door.name())).get(reason));
        byte[] request = request(reason, door);
        if (request == null) {
          assertThat(cell).as(door.name()).isEqualTo('-');
          continue;
        }
        if (server == null || (cell != '-' && logged == LOGGED)) {
          if (server != null) {
            server.close();
          }
          server = RefusingServer.start(reason, directory);
          logged = 0;
        }
        logged += cell == '-' ? 0 : 1;
        faults.addAll(faults(server, reason, door, cell, request));
      }
    } finally {
      if (server != null) {
        server.close();
      }
    }
    assertThat(faults).isEmpty();
  }

  /** Null if the door can't be refused for a reason. */
  private static byte @Nullable [] request(RefusalReason reason, RefusingDoor door) {
    return switch (reason) {
      case ILLEGAL_ARGUMENTS -> door.wrong();
      case INVALID_VALUES -> door.noNumber();
      case OVERLOADS, FAILED_LOGINS -> door.good() == null ? door.wrong() : door.good();
      default -> door.good();
    };
  }

  /**
   * What is wrong with the trace of a request; a line may be refused after its connection ended.
   */
  private static List<String> faults(
      RefusingServer server, RefusalReason reason, RefusingDoor door, char cell, byte[] request)
      throws IOException {
    String type = type(reason);
    String begin = (cell == 'Q' ? "refused query (" : "refused (") + type + "): ";
    Map<String, Long> before = server.counters();
    int lines = server.logged(begin).size();
    String response = server.send(door, request);
    String what = door.name() + " (" + response.lines().findFirst().orElse("no response") + ")";
    if (cell == '-') {
      Map<String, Long> moved = moved(before, server.counters());
      boolean isCounted = Stream.of(RPC, QUERY).anyMatch(each -> moved.containsKey(each + type));
      return isCounted ? List.of(what + " moved " + moved) : List.of();
    }
    Map<String, Long> expected = new TreeMap<>(Map.of((cell == 'Q' ? QUERY : RPC) + type, 1L));
    if (cell == 'P') {
      expected.put(FAILED, 1L);
    }
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      List<String> faults = new ArrayList<>();
      Map<String, Long> moved = moved(before, server.counters());
      List<String> logged = server.logged(begin);
      if (!moved.equals(expected)) {
        faults.add(what + " moved " + moved);
      }
      if (logged.size() != lines + 1) {
        faults.add(what + " has " + (logged.size() - lines) + " lines");
      } else if (!logged.get(0).contains("from 127.0.0.1:")
          || Stream.of(door.path(), "mmm").noneMatch(logged.get(0)::contains)) {
        faults.add(what + " is logged as " + logged.get(0));
      }
      if (faults.isEmpty() || System.nanoTime() - until > 0) {
        return faults;
      }
    }
  }

  private static Map<String, Long> moved(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Long> moved = new TreeMap<>();
    for (String each : after.keySet()) {
      long by = after.get(each) - before.getOrDefault(each, 0L);
      boolean isRefusal = Stream.of(RPC, QUERY, FAILED).anyMatch(each::startsWith);
      if (isRefusal && by != 0 && !each.equals(RPC + "socket_writes_blocked")) {
        moved.put(each, by);
      }
    }
    return moved;
  }

  @Test
  void eachSlowQueryIsCountedAndLogged() throws IOException {
    List<RefusingDoor> queries =
        RefusingDoor.all().stream()
            .filter(door -> Objects.requireNonNull(rows().get(door.name())).containsValue('Q'))
            .toList();
    assertThat(queries).hasSizeGreaterThan(5);
    try (RefusingServer server = RefusingServer.slow(directory)) {
      for (RefusingDoor door : queries) {
        Map<String, Long> before = server.counters();
        int lines = server.logged("slow query: ").size();
        String response = server.send(door, Objects.requireNonNull(door.good()));
        String slow = "tsd.query.slow ";
        assertThat(server.counters().get(slow))
            .as(door.name() + response)
            .isEqualTo(Objects.requireNonNull(before.get(slow)) + 1);
        assertThat(server.logged("slow query: ")).as(door.name()).hasSize(lines + 1);
        assertThat(server.logged("slow query: ").get(0)).contains("from 127.0.0.1:");
      }
    }
  }
}
