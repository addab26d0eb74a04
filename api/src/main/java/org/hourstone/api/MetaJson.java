package org.hourstone.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.TagPair;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.hourstone.internal.UidText;
import org.hourstone.meta.SeriesMeta;
import org.hourstone.meta.TsMeta;
import org.hourstone.meta.UidMeta;
import org.hourstone.uid.UidKind;

/** The JSON of metadata in requests and responses; the stored JSON has another order of fields. */
final class MetaJson {
  private final Tsdb db;
  private final RowKey keys;

  MetaJson(Tsdb db) {
    this.db = db;
    this.keys = new RowKey(db.engine().options().schema());
  }

  /**
   * The metadata of a UID.
   *
   * @throws org.hourstone.uid.NoSuchUidException if it has no name
   */
  ObjectNode name(UidKind kind, byte[] uid) {
    String name = db.uids().name(kind, uid);
    UidMeta meta = db.metadata().names().get(kind, uid);
    ObjectNode json =
        Json.object()
            .put("uid", UidText.format(uid))
            .put("type", kind.name())
            .put("name", name)
            .put("description", meta.description())
            .put("notes", meta.notes())
            .put("created", meta.created());
    Map<String, String> custom = meta.custom();
    json.set("custom", custom == null ? Json.nothing() : AnnotationJson.hashed(custom));
    return json.put("displayName", meta.displayName());
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
    json.put("description", meta.description())
        .put("notes", meta.notes())
        .put("created", meta.created());
    Map<String, String> custom = meta.custom();
    if (custom != null) {
      json.set("custom", AnnotationJson.hashed(custom));
    }
    return json.put("units", meta.units())
        .put("retention", meta.retention())
        .put("max", meta.max())
        .put("min", meta.min())
        .put("displayName", meta.displayName())
        .put("dataType", meta.dataType())
        .put("lastReceived", series.lastReceived())
        .put("totalDatapoints", series.points());
  }

  /** The metadata of a name in a request. */
  static UidMeta readName(UidKind kind, JsonNode json) {
    return new UidMeta(
        kind,
        Json.string(json, "displayName"),
        Json.string(json, "description"),
        Json.string(json, "notes"),
        Json.integer(json, "created"),
        Json.strings(json, "custom"));
  }

  /** The metadata of a series in a request. */
  static TsMeta readSeries(JsonNode json) {
    return new TsMeta(
        Json.string(json, "tsuid"),
        Json.string(json, "displayName"),
        Json.string(json, "description"),
        Json.string(json, "notes"),
        Json.integer(json, "created"),
        Json.strings(json, "custom"),
        Json.string(json, "units"),
        Json.string(json, "dataType"),
        days(Json.integer(json, "retention")),
        Json.decimal(json, "max"),
        Json.decimal(json, "min"));
  }

  private static int days(long retention) {
    if (retention != (int) retention) {
      throw new RequestException("'retention' is out of range: " + retention);
    }
    return (int) retention;
  }

  /** The parameters of a request in the form of a body. */
  static ObjectNode ofParameters(ApiCall call, Map<String, String> fieldsByParameter) {
    ObjectNode json = Json.object();
    fieldsByParameter.forEach(
        (parameter, field) -> {
          List<String> values = call.parameters().getOrDefault(parameter, List.of());
          if (!values.isEmpty()) {
            json.put(field, values.get(values.size() - 1));
          }
        });
    return json;
  }
}
