package org.hourstone.api.put;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.hourstone.Tsdb;
import org.hourstone.api.request.ApiException;
import org.hourstone.error.RequestException;
import org.hourstone.histogram.Bucket;
import org.hourstone.histogram.HistogramText;
import org.hourstone.histogram.SimpleHistogram;
import org.hourstone.write.Receipt;

/**
 * {@code /api/histogram}: histograms by their buckets, or as a codec's bytes in Base64 with the
 * codec's id.
 */
public record HistogramPuts(Tsdb db) implements PutKind {
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
    if (PutKind.super.hasValue(point)) {
      byte[] bytes = HistogramText.bytes(String.valueOf(point.value()));
      db.histograms().put(id(point), metric, tags, point.timestamp(), bytes, receipt, token);
    } else {
      int codecId = db.histograms().codecs().simpleId();
      db.histograms()
          .put(codecId, metric, tags, point.timestamp(), histogram(point), receipt, token);
    }
  }

  private static int id(PutPoint point) {
    JsonNode id = point.others().get(ID);
    if (id == null || !id.canConvertToInt()) {
      throw new RequestException("histogram: a value needs the id of its codec");
    }
    return id.asInt();
  }

  private static SimpleHistogram histogram(PutPoint point) {
    SortedMap<Bucket, Long> buckets = new TreeMap<>();
    for (Map.Entry<String, JsonNode> bucket : buckets(point).properties()) {
      buckets.put(Bucket.parse(bucket.getKey()), count(bucket.getKey(), bucket.getValue()));
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

  private static long count(PutPoint point, String field) {
    JsonNode count = point.others().get(field);
    return count == null || count.isNull() ? 0 : count(field, count);
  }

  private static long count(String what, JsonNode count) {
    if (!count.canConvertToLong()) {
      throw new RequestException("histogram: '" + what + "': its count is not a number");
    }
    return count.asLong();
  }
}
