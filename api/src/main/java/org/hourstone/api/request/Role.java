package org.hourstone.api.request;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** What a client may do. */
public enum Role {
  /** Read points, names and the server's statistics. */
  READ,
  /** Write points and annotations, assign UIDs. */
  WRITE,
  /**
   * All of the above, and everything else, such as deleting, renaming, trees, backups and ending
   * queries of others.
   */
  ADMIN;

  /** All of them, as without authentication. */
  public static Set<Role> all() {
    return EnumSet.allOf(Role.class);
  }

  /** The one that a request needs. */
  public static Role of(ApiCall call) {
    String path = call.path();
    boolean reads = call.method().equals("GET") || call.method().equals("HEAD");
    boolean posts = call.method().equals("POST");
    if (isBelow(
            path,
            "/api/import",
            "/api/put",
            "/api/rollup",
            "/api/histogram",
            "/api/write",
            "/api/uid/assign")
        || isBelow(path, "/api/v2/write", "/health", "/ping", "/query", "/v1/metrics", "/write")
        || (!reads && isBelow(path, "/api/annotation", "/api/annotations"))) {
      return WRITE;
    }
    if (isBelow(path, "/api/admin", "/api/uid/rename", "/api/dropcaches", "/diediedie", "/logs")) {
      return ADMIN;
    }
    boolean changes = isBelow(path, "/api/uid", "/api/tree") && !path.equals("/api/tree/test");
    return reads || (posts && !changes) ? READ : ADMIN;
  }

  private static boolean isBelow(String path, String... parents) {
    return Stream.of(parents).anyMatch(p -> path.equals(p) || path.startsWith(p + "/"));
  }

  /**
   * @throws ApiException if the client of a request does not have it
   */
  public void require(ApiCall call) {
    if (!isAmong(call.roles())) {
      throw new ApiException(
          ApiException.FORBIDDEN,
          "Forbidden",
          "The request needs the role [" + name().toLowerCase(Locale.ROOT) + "]");
    }
  }

  /** Whether these suffice for it. */
  boolean isAmong(Set<Role> roles) {
    return roles.contains(this) || roles.contains(ADMIN);
  }
}
