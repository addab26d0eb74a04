package org.hourstone.api.endpoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.Tsdb;
import org.hourstone.api.request.DoorCounts;
import org.hourstone.api.request.Refusals;
import org.hourstone.api.request.ServerInfo;
import org.hourstone.api.request.ServerInfo.Statistic;
import org.hourstone.head.HeadStats;
import org.hourstone.health.StoreCalls;
import org.hourstone.health.StoreState;
import org.hourstone.index.IndexUse;
import org.hourstone.internal.Json;
import org.hourstone.query.DecodedCellStats;
import org.hourstone.retention.RetentionStats;
import org.hourstone.rewrite.CompactionStats;
import org.hourstone.rollup.OwnRollups;
import org.hourstone.uid.UidCacheUse;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidUsage;
import org.hourstone.write.WriterStats;

/**
 * The counters and gauges of the server and the database, named as OpenTSDB names them where it has
 * the same. None of them waits for the store: they are needed most when it does not answer.
 * Thread-safe.
 */
public final class Statistics {
  private final Tsdb db;
  private final InstantSource clock;
  private final ServerInfo server;
  private final Refusals refusals;
  private final DoorCounts doors = new DoorCounts();

  public Statistics(Tsdb db, InstantSource clock, ServerInfo server, Refusals refusals) {
    this.db = db;
    this.clock = clock;
    this.server = server;
    this.refusals = refusals;
  }

  /** The counts of the protocols other than OpenTSDB's, to add to. */
  public DoorCounts doors() {
    return doors;
  }

  /** As lines that can be put. */
  public String lines() {
    long now = seconds();
    StringBuilder lines = new StringBuilder();
    for (Statistic each : all()) {
      lines.append(each.metric()).append(' ').append(now).append(' ').append(each.value());
      each.tags().forEach((tagk, tagv) -> lines.append(' ').append(tagk).append('=').append(tagv));
      lines.append('\n');
    }
    return lines.toString();
  }

  /** As an array of points, whose values are text. */
  public ArrayNode json() {
    long now = seconds();
    ArrayNode array = Json.array();
    for (Statistic each : all()) {
      var point =
          array
              .addObject()
              .put("metric", each.metric())
              .put("timestamp", now)
              .put("value", Long.toString(each.value()));
      var tags = point.putObject("tags");
      each.tags().forEach(tags::put);
    }
    return array;
  }

  private long seconds() {
    return clock.instant().getEpochSecond();
  }

  public List<Statistic> all() {
    List<Statistic> own = new ArrayList<>(server.statistics());
    WriterStats writer = db.writer().stats();
    own.add(of("datapoints.added", writer.stored(), "type", "all"));
    // Those refused before a writer has them count, too; those put beside the server, only there.
    own.add(of("datapoints.failed", Math.max(refusals.points(), writer.failed())));
    own.addAll(refusals.statistics());
    own.addAll(doors.statistics());
    own.add(of("rpc.waits", HandlingRoom.TEXTS.waits(), "type", "text"));
    own.add(of("rpc.waits", HandlingRoom.BLOCKS.waits(), "type", "large_put"));
    own.add(of("writer.waiting", writer.waiting()));
    own.add(of("writer.threads", writer.threads(), "state", "started"));
    own.add(of("writer.threads", writer.alive(), "state", "alive"));
    own.add(of("writer.restarts", writer.restarts()));
    own.add(of("writer.series", db.writer().knownSeries(), "type", "known"));
    own.add(of("writer.series", db.writer().leftOutSeries(), "type", "left_out"));
    HeadStats head = db.headStats();
    if (head != null) {
      own.add(of("head.rows", head.rows()));
      own.add(of("head.bytes", head.bytes()));
      own.add(of("head.journal_bytes", head.journalBytes()));
      own.add(of("head.journal_age_seconds", head.journalAgeSeconds()));
      own.add(of("head.sealed", head.sealed()));
      own.add(of("head.refused", head.refused()));
      own.add(of("head.hidden", head.hidden()));
      own.add(of("head.takeovers", head.takeovers()));
    }
    own.add(of("head.corrupt_writers", db.corruptWriters()));
    if (db.index().isOn()) {
      own.add(of("index.series_created", db.index().created()));
      db.growth()
          .forEach((metric, series) -> own.add(of("index.new_series", series, "metric", metric)));
      IndexUse index = db.index().use();
      own.add(of("index.metrics", index.metrics()));
      own.add(of("index.bytes", index.bytes(), "type", "used"));
      own.add(of("index.bytes", index.limit(), "type", "limit"));
      own.add(of("index.reads", index.answered(), "type", "answered"));
      own.add(of("index.reads", index.unanswered(), "type", "unanswered"));
      own.add(of("index.evicted", index.evicted()));
    }
    CompactionStats compaction = db.compactions().stats();
    own.add(of("compaction.queue.size", compaction.backlog()));
    own.add(of("compaction.writes", compaction.compacted()));
    own.add(of("compaction.errors", compaction.failed()));
    own.add(of("compaction.unsealed", compaction.unsealed()));
    own.add(of("compaction.running", compaction.running() ? 1 : 0));
    RetentionStats retention = db.retention().stats();
    own.add(of("retention.runs", retention.runs(), "type", "done"));
    own.add(of("retention.runs", retention.refused(), "type", "refused"));
    own.add(of("retention.runs", retention.failed(), "type", "failed"));
    own.add(of("retention.rows", retention.deletedRows()));
    own.add(of("retention.series", retention.removedSeries()));
    own.add(of("retention.waiting", retention.waiting()));
    db.ownRollups().ifPresent(rollups -> addRollups(rollups, own));
    Instant last = db.compactions().lastCompacted();
    if (last != null) {
      own.add(of("compaction.last_seconds", last.getEpochSecond()));
    }
    own.add(of("meta.running", db.metadata().isTracking() ? 1 : 0));
    own.add(of("meta.errors", db.metadata().failures().count()));
    own.add(of("tree.errors", db.seriesTrees().stats().failed()));
    own.add(of("store.figures_age_seconds", db.figuresAge().toSeconds()));
    for (UidKind kind : UidKind.values()) {
      UidCacheUse cache = db.uids().cacheUse(kind);
      own.add(of("uid.cache-hit", cache.hits(), "kind", kind.qualifier()));
      own.add(of("uid.cache-miss", cache.misses(), "kind", kind.qualifier()));
      own.add(of("uid.cache-size", cache.entries(), "kind", kind.qualifier()));
      UidUsage usage = db.uids().lastUsage(kind);
      if (usage != null) {
        own.add(of("uid.ids-used", usage.assigned(), "kind", kind.qualifier()));
        own.add(
            of("uid.ids-available", usage.maximum() - usage.assigned(), "kind", kind.qualifier()));
      }
    }
    StoreState store = db.storeState();
    own.add(of("store.silent_seconds", store.silentSeconds()));
    own.add(of("store.longest_wait_seconds", store.longestWaitSeconds()));
    own.add(of("store.errors", store.failedReads(), "type", "read"));
    own.add(of("store.errors", store.failedWrites(), "type", "write"));
    for (StoreCalls calls : db.storeCalls()) {
      Map<String, String> tags =
          Map.of("table", calls.table(), "type", calls.writes() ? "write" : "read");
      own.add(new Statistic("store.calls", calls.calls(), tags));
      own.add(new Statistic("store.call_errors", calls.failures(), tags));
      own.add(new Statistic("store.call_millis", calls.time().toMillis(), tags));
    }
    own.add(of("query.slow", db.runningQueries().slow()));
    own.add(of("query.running", db.runningQueries().list().size()));
    own.add(of("query.memory_bytes", db.runningQueries().memoryBytes()));
    DecodedCellStats decoded = db.decodedCells();
    own.add(of("query.decoded_cells.kept", decoded.cells()));
    own.add(of("query.decoded_cells.bytes", decoded.bytes()));
    own.add(of("query.decoded_cells.hits", decoded.hits()));
    own.add(of("query.decoded_cells.misses", decoded.misses()));
    db.diskBytes().ifPresent(bytes -> own.add(of("store.disk_bytes", bytes)));
    db.diskSpace()
        .ifPresent(
            disk -> {
              own.add(of("store.disk_free_bytes", disk.free()));
              own.add(of("store.disk_total_bytes", disk.total()));
              own.add(of("store.disk_reserve_bytes", disk.reserve()));
            });
    Runtime jvm = Runtime.getRuntime();
    own.add(of("jvm.ramfree", jvm.freeMemory()));
    own.add(of("jvm.ramused", jvm.totalMemory() - jvm.freeMemory()));
    return own.stream().map(this::named).toList();
  }

  private Statistic named(Statistic own) {
    Map<String, String> tags = new TreeMap<>(own.tags());
    tags.put("host", server.host().isEmpty() ? "localhost" : server.host());
    return new Statistic("tsd." + own.metric(), own.value(), tags);
  }

  private static Statistic of(String metric, long value) {
    return new Statistic(metric, value, Map.of());
  }

  private static Statistic of(String metric, long value, String tagk, String tagv) {
    return new Statistic(metric, value, Map.of(tagk, tagv));
  }

  private static void addRollups(OwnRollups rollups, List<Statistic> own) {
    own.add(of("rollup.errors", rollups.failures()));
    own.add(of("rollup.rows", rollups.rows()));
    own.add(of("rollup.lag_seconds", rollups.lagSeconds()));
  }
}
