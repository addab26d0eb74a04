package org.hourstone.api.status;

import java.util.Map;
import java.util.TreeMap;
import org.hourstone.api.request.ServerInfo.Statistic;
import org.jspecify.annotations.Nullable;

/**
 * The names under which {@code /metrics} has the statistics of {@code /api/stats}. Those have
 * OpenTSDB's names, without units and kinds.
 */
public final class MetricNames {
  /**
   * A statistic as a metric of Prometheus.
   *
   * @param name without the prefix; that of a counter ends with {@code _total}
   * @param value in the unit that the name has
   */
  public record Named(String name, String help, Map<String, String> labels, double value) {}

  /** Statistics in this unit are metrics in seconds. */
  private static final String MILLIS = "_millis";

  /** A line of {@link #TABLE}; the label is empty if its tag is a part of the name. */
  private record Entry(String name, String label, String help) {}

  /**
   * Statistic, with a tag's value if that is a part of the name; name, with its label and the tag
   * that it is taken from; help. A statistic without a name is in the histograms, or the JVM's.
   */
  private static final String TABLE =
      """
      tsd.compaction.errors | compaction_errors_total | Rows that could not be compacted
      tsd.compaction.last_seconds | compaction_last_timestamp_seconds | When a row was compacted last
      tsd.compaction.queue.size | compaction_waiting_rows | Rows that wait for compaction, most of them for the end of their hour
      tsd.compaction.running | compaction_running | 1 while the thread that compacts rows is alive
      tsd.compaction.unsealed | compaction_unsealed_rows_total | Rows left for later, since a writer's journal may have older points
      tsd.compaction.writes | compaction_rows_total | Rows that were compacted
      tsd.connectionmgr.connections type=limit | connections_limit | How many connections are accepted at most
      tsd.connectionmgr.connections type=open | connections | Open connections
      tsd.connectionmgr.connections type=rejected | connections_refused_total | Connections beyond the limit
      tsd.connectionmgr.connections type=total | connections_accepted_total | Connections that were accepted
      tsd.connectionmgr.exceptions | connection_errors_total | Connections that ended with an error
      tsd.connectionmgr.limited | client_limits_total limit=type | How often a limit of connections and clients has had an effect
      tsd.connectionmgr.memory type=limit | client_memory_limit_bytes | Memory for clients
      tsd.connectionmgr.memory type=used | client_memory_bytes | Memory for clients that is in use
      tsd.datapoints.added | points_stored_total | Points and cells that the store has accepted
      tsd.datapoints.failed | points_refused_total | Points that were refused, for whatever reason; a request that is refused as a whole counts as one
      tsd.door.points | door_points_total door=door | Points that were stored of a protocol other than OpenTSDB's
      tsd.door.skipped | door_skipped_total door=door type=type | What was skipped of such a protocol, as there is no place for it
      tsd.head.bytes | head_bytes | Memory of the open rows
      tsd.head.corrupt_writers | head_corrupt_writers | Writers of a shared store whose state or journal is corrupt, so that it is not taken over
      tsd.head.hidden | head_hidden_points_total | Points that were accepted and not written, as they had been deleted
      tsd.head.journal_age_seconds | journal_age_seconds | The age of the oldest record in the journal that may still be needed
      tsd.head.journal_bytes | journal_bytes | Records in the journal that may still be needed
      tsd.head.refused | head_refused_rows_total | Rows that the store has refused to take as one cell
      tsd.head.rows | head_rows | Open rows: series of which points of the current hours are in memory
      tsd.head.sealed | head_sealed_rows_total | Rows that were written to the data table after their hour
      tsd.head.takeovers | head_takeovers_total | Journals of other writers that were taken over
      tsd.http.hosts_refused | http_refused_hosts_total | Requests for a host that is not served
      tsd.http.millis | |
      tsd.http.queue.millis | |
      tsd.http.requests | |
      tsd.http.responses | http_responses_total status=status | Responses by their status
      tsd.index.bytes type=limit | index_memory_limit_bytes | The memory that the series index may use
      tsd.index.bytes type=used | index_memory_bytes | The memory of the metrics of the series index
      tsd.index.evicted | index_evicted_metrics_total | How often a metric of the series index had to leave memory for another
      tsd.index.metrics | index_metrics | Metrics whose series are in memory
      tsd.index.new_series | new_series_last_hour metric=metric | New series within the last hour, of the ten metrics with most
      tsd.index.reads type=answered | index_reads_total | How often the series of a metric were found by the index
      tsd.index.reads type=unanswered | index_scans_total | How often rows had to be scanned instead
      tsd.index.series_created | new_series_total | New series: those written that were not in the index before
      tsd.job.expected | job_expected kind=kind | 1 if jobs of this kind are meant to be done again and again: backups if there is a directory for them
      tsd.job.last_seconds | job_last_success_timestamp_seconds kind=kind | When a job of this kind was completed last
      tsd.job.running | job_running kind=kind | 1 while a job of this kind runs
      tsd.jobs.ended | jobs_total kind=kind state=state | Jobs that have ended, by kind and state
      tsd.jvm.ramfree | |
      tsd.jvm.ramused | |
      tsd.meta.errors | metadata_errors_total | Writes of metadata that have failed
      tsd.meta.running | metadata_running | 1 if metadata of new series is written
      tsd.mirror.failing | mirror_failing | 1 while the other server accepts no points
      tsd.mirror.failures | mirror_failures_total | Requests to the other server that have failed, and are repeated
      tsd.mirror.points type=queued | mirror_queued_points_total | Points that were queued for the other server
      tsd.mirror.points type=sent | mirror_sent_points_total | Points that the other server has accepted
      tsd.mirror.queue.age_seconds | mirror_queue_age_seconds | For how long the oldest point has waited that was not sent to the other server
      tsd.mirror.queue.bytes | mirror_queue_bytes | Size of the points that were not sent to the other server
      tsd.mirror.queue.corrupt | mirror_corrupt_records_total | Records of the queue that can't be read
      tsd.mirror.queue.limit_bytes | mirror_queue_limit_bytes | Maximum size of the queue for the other server
      tsd.mirror.refused | mirror_refused_points_total reason=type | Points that the other server has refused
      tsd.mirror.skipped | mirror_skipped_points_total reason=type | Points and cells that were stored, but not sent to the other server
      tsd.query.decoded_cells.bytes | decoded_cells_bytes | Memory of the cells that are kept decoded
      tsd.query.decoded_cells.hits | decoded_cells_hits_total | Cells that queries found decoded
      tsd.query.decoded_cells.kept | decoded_cells | Cells that are kept decoded
      tsd.query.decoded_cells.misses | decoded_cells_misses_total | Cells that queries had to decode
      tsd.query.errors | queries_refused_total reason=type | Queries that were refused or have failed
      tsd.query.memory_bytes | query_memory_bytes | Memory of the points of running queries
      tsd.query.running | queries_running | Queries and other requests that read and are running
      tsd.query.slow | queries_slow_total | Queries that took as long as slow ones do
      tsd.retention.rows | retention_rows_total | Rows that have expired and were deleted
      tsd.retention.runs | retention_runs_total result=type | Deletions of what has expired, those refused since the clock seems wrong, and those that have failed
      tsd.retention.series | retention_series_total | Series without a row that left the index
      tsd.retention.waiting | retention_waiting_rows | Expired rows of points that the last deletion kept until they are rolled up
      tsd.rollup.errors | rollup_errors_total | How often rolling up in the background has failed
      tsd.rollup.lag_seconds | rollup_lag_seconds | How long ago the newest hour ended that is rolled up
      tsd.rollup.rows | rollup_rows_total | Rows of points that were rolled up
      tsd.rpc.errors | refused_total reason=type | Writes, and requests of whoever may not make them, that were refused
      tsd.rpc.errors type=socket_writes_blocked | telnet_replies_dropped_total | Replies to telnet lines that the client did not read
      tsd.rpc.received | received_total door=type | Lines of telnet, and requests of HTTP
      tsd.rpc.waits | memory_waits_total kind=type | How often a request that had a thread waited for memory
      tsd.server.reloads | reloads_total result=type | How often accounts and certificate were read again
      tsd.store.call_errors | store_table_errors_total table=table operation=type | Calls of the store that have failed or were refused, by table
      tsd.store.call_millis | store_call_seconds_total table=table operation=type | The time of all calls of the store together; a scan's is that of its beginning
      tsd.store.calls | store_calls_total table=table operation=type | Calls of the store
      tsd.store.disk_bytes | store_bytes | The size of the store's files
      tsd.store.disk_free_bytes | disk_free_bytes | What is free on the store's file system
      tsd.store.disk_reserve_bytes | disk_reserve_bytes | With less free than this, new points are refused; 0 if they never are
      tsd.store.disk_total_bytes | disk_size_bytes | The size of the store's file system
      tsd.store.errors | store_errors_total operation=type | Calls of the store that have failed
      tsd.store.figures_age_seconds | store_figures_age_seconds | The age of the figures of RocksDB, of the store's size and of the numbers of names
      tsd.store.longest_wait_seconds | store_longest_wait_seconds | For how long the oldest call of the store has waited
      tsd.store.silent_seconds | store_silent_seconds | For how long calls of the store have failed or waited without an answer
      tsd.tree.errors | tree_errors_total | New series that could not be added to a tree
      tsd.uid.cache-hit | uid_cache_hits_total kind=kind | Names and UIDs that were found in memory
      tsd.uid.cache-miss | uid_cache_misses_total kind=kind | Names and UIDs for which the store was asked
      tsd.uid.cache-size | uid_cache_entries kind=kind | Names and UIDs that are kept in memory
      tsd.uid.ids-available | uids_available kind=kind | How many names can still be created
      tsd.uid.ids-used | uids kind=kind | Names of metrics, of tags and of their values
      tsd.writer.restarts | writer_restarts_total | How often a writing thread has begun again after an error
      tsd.writer.series type=known | active_series | Series that are kept resolved, those written to in the last hours
      tsd.writer.series type=left_out | left_out_series_total | How often there was no room to keep a series resolved
      tsd.writer.threads | writer_threads state=state | Threads that write points
      tsd.writer.waiting | writer_waiting_points | Points that wait for a writing thread
      """;

  private static final Map<String, Entry> ENTRIES = entries();

  private MetricNames() {}

  private static Map<String, Entry> entries() {
    Map<String, Entry> all = new TreeMap<>();
    for (String line : TABLE.lines().toList()) {
      String[] columns = line.split(" ?\\| ?", -1);
      String[] name = columns[1].split(" ", 2);
      all.put(columns[0], new Entry(name[0], name.length > 1 ? name[1] : "", columns[2]));
    }
    return all;
  }

  /**
   * The metric of a statistic; null if it has none, since others have its information.
   *
   * @throws IllegalStateException if the statistic is not in the table
   */
  public static @Nullable Named of(Statistic statistic) {
    String type = "";
    for (Map.Entry<String, String> tag : statistic.tags().entrySet()) {
      String key = statistic.metric() + " " + tag.getKey() + "=" + tag.getValue();
      type = ENTRIES.containsKey(key) ? key : type;
    }
    Entry entry = ENTRIES.get(type.isEmpty() ? statistic.metric() : type);
    if (entry == null) {
      throw new IllegalStateException("no name for " + statistic);
    }
    return entry.name().isEmpty()
        ? null
        : new Named(
            entry.name(),
            entry.help(),
            labels(entry.label(), statistic.tags()),
            statistic.metric().endsWith(MILLIS) ? statistic.value() / 1000.0 : statistic.value());
  }

  private static Map<String, String> labels(String chosen, Map<String, String> tags) {
    Map<String, String> labels = new TreeMap<>();
    for (String each : chosen.isEmpty() ? new String[0] : chosen.split(" ")) {
      String[] pair = each.split("=", 2);
      labels.put(pair[0], tags.getOrDefault(pair[1], ""));
    }
    return labels;
  }
}
