package org.hourstone.api.put;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyValue;
import org.hourstone.api.request.ApiException;
import org.hourstone.error.RequestException;
import org.hourstone.histogram.Bucket;
import org.hourstone.histogram.Histogram;
import org.hourstone.histogram.HistogramText;
import org.hourstone.histogram.SimpleHistogram;
import org.hourstone.internal.Json;
import org.hourstone.write.Receipt;

/**
 * {@code /api/histogram}: histograms by their buckets, or as a codec's bytes in Base64 with the
 * codec's id.
 */
public record HistogramPuts(Tsdb db, ApiOptions options) implements PutKind {
  private static final String ID = "id";
  private static final String BUCKETS = "buckets";
  private static final String UNDERFLOW = "underflow";
  private static final String OVERFLOW = "overflow";
  private static final Set<String> FIELDS =
      Collections.unmodifiableSet(new LinkedHashSet<>(List.of(ID, BUCKETS, UNDERFLOW, OVERFLOW)));

  @Override
  public Set<String> fields() {
    return FIELDS;
  }

  /** OpenTSDB shows the numbers that are missing, too. */
  @Override
  public ObjectNode shown(PutPoint point) {
    if (!isStrict()) {
      return PutKind.super.shown(point);
    }
    Map<String, JsonNode> others = new HashMap<>(point.others());
    for (String number : List.of(ID, UNDERFLOW, OVERFLOW)) {
      others.putIfAbsent(number, IntNode.valueOf(0));
    }
    return point.withOthers(others).toJson(FIELDS);
  }

  @Override
  public void checkEnabled() {
    try {
      db.histograms().checkEnabled();
    } catch (RequestException e) {
      throw ApiException.notConfigured(e);
    }
  }

  @Override
  public boolean hasValue(PutPoint point) {
    return PutKind.super.hasValue(point) || point.others().containsKey(BUCKETS);
  }

  @Override
  public void put(
      PutPoint point, String metric, Map<String, String> tags, Receipt receipt, long token) {
    boolean isCoded = PutKind.super.hasValue(point);
    int codecId = isCoded ? id(point) : db.histograms().codecs().simpleId();
    Histogram histogram = isCoded ? decoded(codecId, point) : histogram(point, codecId);
    db.histograms().put(codecId, metric, tags, point.timestamp(), histogram, receipt, token);
  }

  /** A value has all counts, so others beside it would be left out. */
  private Histogram decoded(int codecId, PutPoint point) {
    for (String name : List.of(BUCKETS, UNDERFLOW, OVERFLOW)) {
      if (!isStrict() && !member(point, name).isAbsent()) {
        throw new RequestException(name + ": beside a value, which has them as well");
      }
    }
    byte[] bytes = HistogramText.bytes(String.valueOf(point.value()));
    return db.histograms().decode(codecId, bytes, isStrict());
  }

  private BodyValue member(PutPoint point, String name) {
    JsonNode json = point.others().get(name);
    return member(json == null ? Json.nothing() : json, name);
  }

  private BodyValue member(JsonNode json, String name) {
    return BodyValue.of(json, name, "", options.requests().bodies());
  }

  /** As by OpenTSDB, which takes any count, bound and id. */
  private boolean isStrict() {
    return options.requests().bodies().takesUnknownMembers();
  }

  /** Buckets are those of one codec; 0 is what programs write that have no id. */
  private void checkId(PutPoint point, int simpleId) {
    if (!isStrict()) {
      long id = integer(member(point, ID), simpleId);
      if (id != simpleId && id != 0) {
        throw new RequestException(
            ID + ": " + id + ", but buckets are of the codec with the id " + simpleId);
      }
    }
  }

  private int id(PutPoint point) {
    JsonNode id = point.others().get(ID);
    if (id == null || !id.canConvertToInt() || (!isStrict() && !id.canConvertToExactIntegral())) {
      throw new RequestException("histogram: a value needs the id of its codec");
    }
    return id.asInt();
  }

  private SimpleHistogram histogram(PutPoint point, int codecId) {
    checkId(point, codecId);
    SortedMap<Bucket, Long> buckets = new TreeMap<>();
    for (Map.Entry<String, JsonNode> bucket : buckets(point).properties()) {
      String range = bucket.getKey();
      BodyValue count = member(bucket.getValue(), BUCKETS + "." + range);
      if (count.isAbsent()) {
        throw new RequestException(count.place() + ": no count");
      }
      HistogramText.add(buckets, range, integer(count, 0), isStrict());
    }
    return new SimpleHistogram(buckets, count(point, UNDERFLOW), count(point, OVERFLOW));
  }

  private static JsonNode buckets(PutPoint point) {
    JsonNode buckets = point.others().get(BUCKETS);
    if (buckets == null || !buckets.isObject()) {
      throw new RequestException("histogram: buckets is not an object of counts");
    }
    return buckets;
  }

  private long count(PutPoint point, String name) {
    return HistogramText.checked(name, integer(member(point, name), 0), isStrict());
  }

  /** A fault costs its point only. */
  private static long integer(BodyValue member, long otherwise) {
    try {
      return member.integer(otherwise);
    } catch (ApiException e) {
      throw new RequestException(e.details(), e);
    }
  }
}
