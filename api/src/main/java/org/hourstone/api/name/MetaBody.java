package org.hourstone.api.name;

import static java.util.stream.Collectors.toUnmodifiableSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.endpoint.BodyValue;
import org.hourstone.api.endpoint.RequestBody;
import org.hourstone.api.request.ApiCall;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.TagPair;
import org.hourstone.internal.Json;
import org.hourstone.internal.RecordFields;
import org.hourstone.internal.UidText;
import org.hourstone.meta.SeriesMeta;
import org.hourstone.meta.TsMeta;
import org.hourstone.meta.UidMeta;
import org.hourstone.uid.UidKind;

/** The JSON of metadata in requests and responses; the stored JSON has another order of fields. */
final class MetaBody {
  private static final RecordFields<UidMeta> NAME =
      new RecordFields<>(UidMeta.class, Map.of("kind", "type"));
  private static final RecordFields<TsMeta> SERIES = new RecordFields<>(TsMeta.class, Map.of());

  /** The members of a name in a request; the last one identifies it in responses. */
  private static final Set<String> OF_NAME = and(NAME.names(), "uid", "name");

  /** The members of a series in a request; what a response has beside the fields has no effect. */
  private static final Set<String> OF_SERIES =
      and(SERIES.names(), "metric", "tags", "lastReceived", "totalDatapoints");

  /** The memory of JSON for each character of its text. */
  private static final int SIZE_IN_MEMORY = 8;

  private static final String SERIES_ORDER =
      "description notes created custom units retention max min displayName dataType";

  private final Tsdb db;
  private final RowKey keys;

  MetaBody(Tsdb db, RowKey keys) {
    this.db = db;
    this.keys = keys;
  }

  /**
   * The metadata of a UID.
   *
   * @throws org.hourstone.uid.NoSuchUidException if it has no name
   */
  ObjectNode name(UidKind kind, byte[] uid) {
    String name = db.uids().name(kind, uid);
    UidMeta meta = db.metadata().names().get(kind, uid);
    ObjectNode json = Json.object().put("uid", UidText.format(uid));
    NAME.put(json, meta, "type").put("name", name);
    return NAME.put(json, meta, "description notes created custom displayName");
  }

  /**
   * The metadata of a series and of its names.
   *
   * @throws org.hourstone.uid.NoSuchUidException if one of its UIDs has no name
   */
  ObjectNode series(byte[] tsuid, SeriesMeta series) {
    TsMeta meta = series.meta();
    ObjectNode json = Json.object().put("tsuid", meta.tsuid());
    json.set("metric", name(UidKind.METRIC, keys.metricOfTsuid(tsuid)));
    ArrayNode tags = json.putArray("tags");
    for (TagPair tag : keys.tagsOfTsuid(tsuid)) {
      tags.add(name(UidKind.TAGK, tag.tagk())).add(name(UidKind.TAGV, tag.tagv()));
    }
    SERIES.put(json, meta, SERIES_ORDER);
    if (meta.custom() == null) {
      json.remove("custom");
    }
    return json.put("lastReceived", series.lastReceived()).put("totalDatapoints", series.points());
  }

  /** The memory of JSON in a response, and of its text. */
  static long sizeInMemory(JsonNode json) {
    return SIZE_IN_MEMORY * (long) Json.text(json).length();
  }

  private static Set<String> and(Set<String> names, String... others) {
    return Stream.concat(names.stream(), Arrays.stream(others)).collect(toUnmodifiableSet());
  }

  /** A name in the body of a request. */
  static BodyValue bodyOfName(ApiCall call, BodyDialect bodies) {
    return RequestBody.object(call, bodies, OF_NAME);
  }

  /** A series in the body of a request. */
  static BodyValue bodyOfSeries(ApiCall call, BodyDialect bodies) {
    return RequestBody.object(call, bodies, OF_SERIES);
  }

  /** The metadata of a name in a request. */
  static UidMeta readName(UidKind kind, BodyValue json) {
    return json.record(NAME, Map.of("type", kind));
  }

  /** The metadata of a series in a request. */
  static TsMeta readSeries(BodyValue json) {
    return json.record(SERIES, Map.of());
  }

  /** The parameters of a request in the form of a body. */
  static BodyValue ofParameters(
      ApiCall call, Map<String, String> fieldsByParameter, BodyDialect bodies) {
    ObjectNode json = Json.object();
    fieldsByParameter.forEach(
        (parameter, field) -> {
          List<String> values = call.parameters().getOrDefault(parameter, List.of());
          if (!values.isEmpty()) {
            json.put(field, values.get(values.size() - 1));
          }
        });
    return BodyValue.of(json, "", "", bodies);
  }
}
