package org.hourstone.tsd.session;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Settings of OpenTSDB that Hourstone doesn't have. If an {@code opentsdb.conf} contains them, a
 * warning is given for settings that change stored data, results or access to them, but not for
 * settings of its network.
 */
final class OpenTsdbKeys {
  /** The kinds of keys that are not settings of Hourstone. */
  enum Kind {
    /** Sets up a daemon and its network. */
    DAEMON,
    /** Names the HBase cluster if {@code --store} doesn't. */
    STORE,
    /** A setting of OpenTSDB that has no effect. */
    WITHOUT_EFFECT,
    /** Probably a mistake. */
    UNKNOWN
  }

  static final String ZK_QUORUM = "tsd.storage.hbase.zk_quorum";
  static final String ZK_BASEDIR = "tsd.storage.hbase.zk_basedir";

  private static final List<String> DAEMON_PREFIXES =
      List.of(
          "tsd.http.cachedir",
          "tsd.http.header_tag",
          "tsd.http.request.enable_chunked",
          "tsd.http.request.max_chunk",
          "tsd.http.rpc.",
          "tsd.http.serializer.",
          "tsd.http.show_stack_trace",
          "tsd.http.staticroot",
          "tsd.rpc.",
          "tsd.telnet.",
          "tsd.stats.",
          "tsd.gnuplot.",
          "tsd.core.socket.");

  /** Settings with this prefix affect responses of any transport. */
  private static final String HTTP_QUERY = "tsd.http.query.";

  private static final Set<String> DAEMON =
      Set.of(
          "tsd.network.async_io",
          "tsd.network.backlog",
          "tsd.network.keep_alive",
          "tsd.network.reuse_address",
          "tsd.network.reuseaddress", // as in the file that OpenTSDB ships
          "tsd.network.tcp_no_delay",
          "tsd.network.tcpnodelay",
          "tsd.network.worker_threads",
          "tsd.core.stats_with_port");

  private static final Set<String> WITHOUT_EFFECT =
      Set.of(
          "tsd.core.authentication.plugin",
          "tsd.core.authorization.enable_authorization",
          "tsd.core.authorization.plugin",
          "tsd.core.enable_api",
          "tsd.core.enable_ui",
          "tsd.core.meta.cache.enable",
          "tsd.core.meta.cache.plugin",
          "tsd.core.plugin_path",
          "tsd.core.preload_uid_cache",
          "tsd.core.preload_uid_cache.max_entries",
          "tsd.core.storage_exception_handler.enable",
          "tsd.core.storage_exception_handler.plugin",
          "tsd.query.allow_simultaneous_duplicates",
          "tsd.query.enable_fuzzy_filter",
          "tsd.query.limits.bytes.allow_override",
          "tsd.query.limits.data_points.allow_override",
          "tsd.query.limits.overrides.config",
          "tsd.query.limits.overrides.interval",
          "tsd.query.multi_get.batch_size",
          "tsd.query.multi_get.concurrent",
          "tsd.query.multi_get.enable",
          "tsd.query.multi_get.get_all_salts",
          "tsd.query.multi_get.limit",
          "tsd.rpc.telnet.return_errors",
          "tsd.rtpublisher.enable",
          "tsd.rtpublisher.plugin",
          "tsd.search.enable",
          "tsd.search.plugin",
          "tsd.startup.enable",
          "tsd.startup.plugin",
          "tsd.storage.compaction.flush_interval",
          "tsd.storage.compaction.flush_speed",
          "tsd.storage.compaction.max_concurrent_flushes",
          "tsd.storage.compaction.min_flush_threshold",
          "tsd.storage.flush_interval",
          "tsd.storage.get_date_tiered_compaction_start",
          "tsd.storage.hbase.prefetch_meta",
          "tsd.storage.hbase.scanner.maxNumRows",
          "tsd.timeseriesfilter.enable",
          "tsd.timeseriesfilter.plugin",
          "tsd.uid.lru.enable",
          "tsd.uid.lru.id.size",
          "tsd.uid.lru.name.size",
          "tsd.uid.use_mode",
          "tsd.uidfilter.enable",
          "tsd.uidfilter.plugin",
          "tsd.uidfilter.whitelist.metric_patterns",
          "tsd.uidfilter.whitelist.tagk_patterns",
          "tsd.uidfilter.whitelist.tagv_patterns");

  /** For settings without effect: the value with which OpenTSDB behaves as Hourstone does. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "tsd.core.enable_api", "true",
          "tsd.core.enable_ui", "true",
          "tsd.core.authorization.enable_authorization", "false",
          "tsd.rpc.telnet.return_errors", "true");

  private OpenTsdbKeys() {}

  /** The keys that {@link #kindOf} calls without effect. */
  static Set<String> withoutEffect() {
    return WITHOUT_EFFECT;
  }

  /** Whether a setting without effect has the value that changes nothing. */
  static boolean isDefault(String key, String value) {
    return value.strip().equalsIgnoreCase(DEFAULTS.get(key));
  }

  /** The kind of a key that {@link org.hourstone.Settings} doesn't declare. */
  static Kind kindOf(String key) {
    if (key.equals(ZK_QUORUM) || key.equals(ZK_BASEDIR)) {
      return Kind.STORE;
    }
    if (WITHOUT_EFFECT.contains(key)) {
      return Kind.WITHOUT_EFFECT;
    }
    boolean daemon =
        DAEMON.contains(key)
            || (DAEMON_PREFIXES.stream().anyMatch(key::startsWith) && !key.startsWith(HTTP_QUERY));
    return daemon ? Kind.DAEMON : Kind.UNKNOWN;
  }
}
