package org.hourstone;

import static org.hourstone.Setting.Section.MEMORY;
import static org.hourstone.ValueType.amount;
import static org.hourstone.ValueType.number;
import static org.hourstone.ValueType.seconds;

import java.time.Duration;
import java.util.Optional;

/** The settings of threads and memory, a part of {@link Settings}. */
public final class MemorySettings {
  static final SettingList ALL = new SettingList();

  public static final Setting<Optional<Integer>> UID_CACHE =
      ALL.setting(MEMORY, "hourstone.uid.cache_size", number("names", 1))
          .orAuto("as many of all kinds as fit in an eighth of the heap")
          .means("number of names of each kind that are cached");
  public static final Setting<Optional<Duration>> UID_CACHE_SECONDS =
      ALL.setting(MEMORY, "hourstone.uid.cache_seconds", seconds(0))
          .orAuto("60 if other processes share the store, otherwise 0")
          .inStrictMode("0")
          .means(
              "maximum time until readers and writers detect that another process renamed or"
                  + " deleted a name; names are cached for half of it. 0 for until the name is"
                  + " evicted from a full cache or caches are dropped");
  public static final Setting<Optional<Integer>> SERIES_CACHE =
      ALL.setting(MEMORY, "hourstone.write.series_cache_size", number("series", 0))
          .orAuto(
              "as many as fit in an eighth of the heap, and in an eighth of what it has beyond"
                  + " 512 MB, 256 bytes each")
          .means(
              "number of series that are kept resolved in memory, by the text of lines and JSON;"
                  + " one whose text has more than 80 bytes counts as more. Points of other series"
                  + " take about ten times as long");
  public static final Setting<Integer> WRITE_THREADS =
      ALL.setting(MEMORY, "hourstone.write.threads", number("threads", 1))
          .byDefault("2")
          .means(
              "number of threads that write; all points of a series are written by the same one");
  public static final Setting<Optional<Integer>> WRITE_QUEUE =
      ALL.setting(MEMORY, "hourstone.write.queue_points", number("points", 1))
          .orAuto("32768, or as many as fit in 1/64 of the heap for all threads")
          .means(
              "maximum number of points that wait for each writing thread; a caller that finds the"
                  + " queue full waits");
  public static final Setting<Integer> BUFFERED_POINTS =
      ALL.setting(MEMORY, "hourstone.write.buffered_points", number("points", 1))
          .byDefault("131072")
          .means(
              "maximum number of points that each writing thread buffers for the flush interval;"
                  + " if there are more, the oldest rows are written early");
  public static final Setting<Optional<Long>> BUFFERED_BYTES =
      ALL.setting(MEMORY, "hourstone.write.buffered_bytes", amount("bytes", 1))
          .orAuto("an eighth of the heap")
          .means(
              "approximate maximum memory of the buffered points of all threads: 400 bytes for a"
                  + " row and 40 for each point. If there are more, the oldest rows are written"
                  + " early");
  public static final Setting<Optional<Long>> HEAD_BYTES =
      ALL.setting(MEMORY, "hourstone.head.bytes", amount("bytes", 1))
          .orAuto("an eighth of the heap, and of what it has beyond 512 MB another eighth")
          .means(
              "approximate maximum memory of the [head](head.md); beyond it rows are"
                  + " written early");
  public static final Setting<Long> HEAD_JOURNAL_BYTES =
      ALL.setting(MEMORY, "hourstone.head.journal_bytes", amount("bytes", 1))
          .byDefault("33554432")
          .means(
              "approximate maximum size of the head's journal, which is read when the store is"
                  + " opened after a crash; beyond it the oldest rows are written early");
  public static final Setting<Integer> WRITE_BATCH =
      ALL.setting(MEMORY, "hourstone.write.batch_points", number("points", 1))
          .byDefault("4096")
          .means(
              "maximum number of points written in one call of the store; a row with more is"
                  + " written by itself");
  public static final Setting<Integer> WRITE_ATTEMPTS =
      ALL.setting(MEMORY, "hourstone.write.attempts", number("attempts", 1))
          .byDefault("12")
          .means(
              "how often a batch is offered to a store that fails to apply it; see"
                  + " [closing](#closing)");
  public static final Setting<Duration> WRITE_CLOSE =
      ALL.setting(MEMORY, "hourstone.write.close_seconds", seconds(1))
          .byDefault("120")
          .means("how long closing may take to write queued points; see [closing](#closing)");

  private MemorySettings() {}
}
