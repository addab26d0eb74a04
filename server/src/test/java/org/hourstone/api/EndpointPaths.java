package org.hourstone.api;

import java.util.Set;
import org.hourstone.Tsdb;

/** The paths of all endpoints, for tests that must not miss any. */
public final class EndpointPaths {
  private EndpointPaths() {}

  /** Those of a server with the database's settings. */
  public static Set<String> of(Tsdb db) {
    return new Api(db).paths();
  }
}
