package org.hourstone.write;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.TagPair;
import org.hourstone.uid.NameRules;
import org.hourstone.uid.SeriesName;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the series of a point, assigning UIDs to new names: the metric's first, then for each
 * tag its name's and its value's. Caches series, by names and by their text, until a name is
 * renamed or deleted here, or until other processes may have done so: points must not be written to
 * an old UID. Thread-safe.
 */
final class SeriesTable {
  private static final System.Logger LOG = System.getLogger("org.hourstone.write");
  private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** Longer texts are resolved each time. */
  private static final int LONGEST_TEXT = 1024;

  /** The characters of names that count as one entry in the cache of series by names. */
  private static final int USUAL_CHARS = 600;

  /** As many characters a tag counts for, as its texts are objects. */
  private static final int CHARS_OF_TAG = 50;

  private final UidTable uids;
  private final NameRules rules;
  private final RowKey keys;
  private final Admission admission;
  private final Cache<SeriesName, Series> byName;
  private final SeriesTexts byText;

  /** When it may be logged again that they are too many. */
  private final AtomicLong logAgain = new AtomicLong(System.nanoTime());

  /** The UIDs of names, without those that have none and are not created. */
  record Assigned(
      Map<String, byte[]> metrics, Map<String, byte[]> tagks, Map<String, byte[]> tagvs) {
    /** The UIDs of tags; null if one has none. */
    @Nullable List<TagPair> pairs(Map<String, String> tags) {
      List<TagPair> pairs = new ArrayList<>(tags.size());
      for (Map.Entry<String, String> tag : tags.entrySet()) {
        byte[] tagk = tagks.get(tag.getKey());
        byte[] tagv = tagvs.get(tag.getValue());
        if (tagk == null || tagv == null) {
          return null;
        }
        pairs.add(new TagPair(tagk, tagv));
      }
      return pairs;
    }
  }

  SeriesTable(
      UidTable uids,
      NameRules rules,
      RowKey keys,
      WriteOptions.Cached cached,
      Admission admission) {
    this.uids = uids;
    this.rules = rules;
    this.keys = keys;
    this.admission = admission;
    this.byName =
        CacheBuilder.newBuilder()
            .maximumWeight(cached.names())
            .weigher((SeriesName name, Series series) -> weight(name))
            .build();
    this.byText = new SeriesTexts(cached.texts(), System::nanoTime);
  }

  /** That of usual names is 1, of longer ones as many times as much as they take more memory. */
  private static int weight(SeriesName name) {
    int chars = name.metric().length();
    for (Map.Entry<String, String> tag : name.tags().entrySet()) {
      chars += tag.getKey().length() + tag.getValue().length() + CHARS_OF_TAG;
    }
    return 1 + chars / USUAL_CHARS;
  }

  /**
   * The series of these names.
   *
   * @throws org.hourstone.error.RequestException if a name is invalid
   * @throws org.hourstone.uid.NoSuchNameException if a name is unknown and not to be created
   */
  Series resolve(String metric, Map<String, String> tags) {
    Series known = byName.getIfPresent(new SeriesName(metric, tags));
    if (known != null && known.isCurrent(uids)) {
      return known;
    }
    long asOf = uids.changes();
    long keptUntil = uids.keptUntil();
    checkNames(metric, tags);
    if (admission.limitsSeries()) {
      admit(metric, tags);
    }
    byte[] metricUid = uids.uidForWriting(UidKind.METRIC, metric);
    List<TagPair> pairs = new ArrayList<>(tags.size());
    for (Map.Entry<String, String> tag : tags.entrySet()) {
      pairs.add(
          new TagPair(
              uids.uidForWriting(UidKind.TAGK, tag.getKey()),
              uids.uidForWriting(UidKind.TAGV, tag.getValue())));
    }
    byte[] tsuid = keys.tsuid(metricUid, pairs);
    if (admission.limitsSeries()) {
      admission.admitSeries(tsuid);
    }
    Series series = new Series(keys, tsuid, asOf, keptUntil);
    byName.put(new SeriesName(metric, Map.copyOf(tags)), series);
    return series;
  }

  /** A series that is refused gets no UIDs: they would be used up. */
  private void admit(String metric, Map<String, String> tags) {
    byte[] uid = uids.find(UidKind.METRIC, metric);
    if (admission.room(metric, uid) == 0 && (uid == null || !haveUids(tags))) {
      admission.admitNames(metric, uid);
    }
  }

  private boolean haveUids(Map<String, String> tags) {
    return tags.entrySet().stream()
        .allMatch(
            tag ->
                uids.find(UidKind.TAGK, tag.getKey()) != null
                    && uids.find(UidKind.TAGV, tag.getValue()) != null);
  }

  /** Those for which there may be room; the others are resolved one by one. */
  private Collection<SeriesName> admitted(Collection<SeriesName> series) {
    if (!admission.limitsSeries()) {
      return series;
    }
    long room = admission.room();
    Map<String, Long> ofMetric = new HashMap<>();
    List<SeriesName> admitted = new ArrayList<>();
    for (SeriesName each : series) {
      long left =
          ofMetric.computeIfAbsent(
              each.metric(), metric -> admission.room(metric, uids.find(UidKind.METRIC, metric)));
      if (left > 0 && admitted.size() < room) {
        admitted.add(each);
        ofMetric.put(each.metric(), left - 1);
      }
    }
    return admitted;
  }

  /**
   * Assigns UIDs to the new names of series, the same as {@link #resolve} would one series after
   * the other, but in few calls of the store. Failures are repeated when the series are resolved.
   *
   * @param series whose names were checked
   * @return null if that failed for a part of them
   */
  @CanIgnoreReturnValue
  @Nullable Assigned assign(Collection<SeriesName> series) {
    try {
      Collection<SeriesName> admitted = admitted(series);
      Map<String, byte[]> metrics =
          uids.uidsForWriting(UidKind.METRIC, admitted.stream().map(SeriesName::metric).toList());
      Set<Map<String, String>> created = Collections.newSetFromMap(new IdentityHashMap<>());
      List<Map<String, String>> tags = new ArrayList<>();
      for (SeriesName each : admitted) {
        if (metrics.containsKey(each.metric()) && created.add(each.tags())) {
          tags.add(each.tags());
        }
      }
      Map<String, byte[]> tagks =
          uids.uidsForWriting(
              UidKind.TAGK, tags.stream().flatMap(each -> each.keySet().stream()).toList());
      List<String> tagvs = new ArrayList<>();
      for (Map<String, String> each : tags) {
        for (Map.Entry<String, String> tag : each.entrySet()) {
          if (!tagks.containsKey(tag.getKey())) {
            break;
          }
          tagvs.add(tag.getValue());
        }
      }
      return new Assigned(metrics, tagks, uids.uidsForWriting(UidKind.TAGV, tagvs));
    } catch (RuntimeException e) {
      return null; // reported for the series that it concerns when that is resolved
    }
  }

  /**
   * The series of these names, as {@link #resolve} would find them one after the other, but in few
   * calls of the store; they are not cached by their names.
   *
   * @param series whose names were checked
   * @return in the same order; null for each that could not be resolved
   */
  @SuppressWarnings("ReferenceEquality") // equal tags that are not the same are resolved again
  List<@Nullable Series> resolveAll(List<SeriesName> series) {
    long asOf = uids.changes();
    long keptUntil = uids.keptUntil();
    List<@Nullable Series> resolved = new ArrayList<>(series.size());
    Assigned assigned = assign(series);
    Map<String, String> tags = null;
    List<TagPair> pairs = null;
    for (SeriesName each : series) {
      if (assigned != null && each.tags() != tags) {
        tags = each.tags();
        pairs = assigned.pairs(tags);
      }
      byte[] metric = assigned == null ? null : assigned.metrics.get(each.metric());
      byte[] tsuid = metric == null || pairs == null ? null : keys.tsuid(metric, pairs);
      resolved.add(
          tsuid == null || !isAdmitted(tsuid) ? null : new Series(keys, tsuid, asOf, keptUntil));
    }
    return resolved;
  }

  private boolean isAdmitted(byte[] tsuid) {
    try {
      if (admission.limitsSeries()) {
        admission.admitSeries(tsuid);
      }
      return true;
    } catch (RuntimeException e) {
      return false; // reported when it is resolved
    }
  }

  /** Whether a series may be used as it was resolved. */
  boolean isCurrent(Series series) {
    return series.isCurrent(uids);
  }

  void checkNames(String metric, Map<String, String> tags) {
    rules.checkSeries(metric, tags);
  }

  /** The most tags that a series may have. */
  int mostTags() {
    return rules.maxTags();
  }

  /**
   * What was remembered for these ranges of a text, or null.
   *
   * @param before as in {@link SeriesTexts#find}
   */
  @Nullable KnownText known(
      @Nullable KnownText before,
      Object form,
      byte[] text,
      int metric,
      int metricEnd,
      int tags,
      int tagsEnd) {
    if (metricEnd - metric + tagsEnd - tags > LONGEST_TEXT) {
      return null; // not remembered, and reading all of it for each point would take long
    }
    KnownText known = byText.find(before, form, text, metric, metricEnd, tags, tagsEnd);
    if (known != null && before != null && !known.series.isCurrent(uids)) {
      before.next = null; // the one that was behind the other may have been replaced
      known = byText.find(before, form, text, metric, metricEnd, tags, tagsEnd);
    }
    return known != null && known.series.isCurrent(uids) ? known : null;
  }

  /** Lets these ranges of a text be known as those of a series. */
  void remember(
      Object form, byte[] text, int metric, int metricEnd, int tags, int tagsEnd, Series series) {
    int metricLength = metricEnd - metric;
    int length = metricLength + tagsEnd - tags;
    if (length <= LONGEST_TEXT) {
      byte[] both = Arrays.copyOfRange(text, metric, metric + length);
      System.arraycopy(text, tags, both, metricLength, tagsEnd - tags);
      byText.put(form, both, metricLength, series);
      if (byText.areTooMany()) {
        warn();
      }
    }
  }

  private void warn() {
    long now = System.nanoTime();
    long next = logAgain.get();
    if (now - next >= 0 && logAgain.compareAndSet(next, now + LOG_NANOS)) {
      LOG.log(
          Level.WARNING,
          "points of more than "
              + size()
              + " series are written in turn; those of the others take about ten times as long."
              + " Increase the heap or hourstone.write.series_cache_size");
    }
  }

  /** How many texts of series are kept. */
  int size() {
    return byText.size();
  }

  /** How often one was not kept, as there was no room. */
  long leftOut() {
    return byText.leftOut();
  }

  /** The series of these names if it was resolved, or null. */
  @Nullable Series resolved(String metric, Map<String, String> tags) {
    return byName.getIfPresent(new SeriesName(metric, tags));
  }

  void clear() {
    byName.invalidateAll();
    byText.clear();
  }
}
