package org.hourstone.api.request;

import java.util.List;
import java.util.Map;

/** Information about the process that serves requests. Thread-safe. */
public interface ServerInfo {
  /**
   * A counter or gauge at this moment.
   *
   * @param metric without the prefix {@code tsd.}
   */
  record Statistic(String metric, long value, Map<String, String> tags) {}

  /**
   * A counter or gauge of the store.
   *
   * @param name as Prometheus names metrics; that of a counter ends with {@code _total}
   * @param meaning one sentence without a full stop
   */
  record Figure(String name, String meaning, long value) {}

  /** The program. */
  Build build();

  /** The name of the machine, which is a tag of all statistics. */
  String host();

  /** The transport's statistics; the database's are added to them. */
  List<Statistic> statistics();

  /** The latest lines of its log, the newest first; none if it keeps none. */
  default List<String> recentLog() {
    return List.of();
  }

  /** Whether it is being stopped: requests in progress get their responses, others are refused. */
  default boolean isStopping() {
    return false;
  }

  /** A client asks the process to end, as SIGTERM does; returns before it has ended. */
  default void stop() {}

  /**
   * Reads the files of its accounts and its certificate again.
   *
   * @return the files that were read
   * @throws IllegalArgumentException if one of them can't be used; nothing has changed then
   */
  default List<String> reload() {
    return List.of();
  }

  /** For a program that only handles requests, without a server. */
  static ServerInfo none() {
    return new ServerInfo() {
      @Override
      public Build build() {
        return Build.of("");
      }

      @Override
      public String host() {
        return "";
      }

      @Override
      public List<Statistic> statistics() {
        return List.of();
      }
    };
  }
}
