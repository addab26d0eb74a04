package org.hourstone.api.endpoint;

import java.util.Set;
import java.util.stream.Stream;

/** The endpoints and commands that a server has ({@code tsd.mode}); it does not know the others. */
public enum ServerMode {
  /** Reads and writes. */
  RW,
  /** Reads only. */
  RO,
  /** Writes only. */
  WO;

  private static final Set<String> COMMANDS_THAT_WRITE = Set.of("put", "rollup", "histogram");

  public boolean hasEndpoint(String path) {
    return switch (this) {
      case RW -> true;
      case RO ->
          !isBelow(
              path,
              "/api/admin/jobs",
              "/api/import",
              "/api/put",
              "/api/write",
              "/api/rollup",
              "/api/histogram",
              "/api/annotation",
              "/api/annotations",
              "/api/uid",
              "/api/tree",
              "/api/v2/write",
              "/health",
              "/ping",
              "/query",
              "/v1/metrics",
              "/write");
      case WO ->
          !isBelow(
              path,
              "/api/export",
              "/api/query",
              "/api/read",
              "/q",
              "/api/search",
              "/api/suggest",
              "/suggest",
              "/api/cardinality");
    };
  }

  private static boolean isBelow(String path, String... parents) {
    return Stream.of(parents).anyMatch(p -> path.equals(p) || path.startsWith(p + "/"));
  }

  /** Of the telnet-style protocol. */
  public boolean hasCommand(String name) {
    return this != RO || !COMMANDS_THAT_WRITE.contains(name);
  }

  /** Whether queries may delete what they read, if a setting allows it. */
  public boolean deletes() {
    return this == RW;
  }
}
