package org.hourstone.meta;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import org.hourstone.internal.Json;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a series. Immutable. See {@code docs/format/meta.md}.
 *
 * @param tsuid in hex, as given
 * @param displayName an alternative name; may be empty
 * @param description one line; may be empty
 * @param notes further text; may be empty
 * @param created when it got its first point, in seconds since the epoch; 0 if unknown
 * @param custom any other fields; null for none
 * @param units of its values; may be empty
 * @param dataType such as counter or gauge; may be empty
 * @param retention the number of days to keep its points; 0 for ever. Has no effect
 * @param max its largest value, NaN if not known
 * @param min its smallest value, NaN if not known
 */
public record TsMeta(
    String tsuid,
    String displayName,
    String description,
    String notes,
    long created,
    @Nullable Map<String, String> custom,
    String units,
    String dataType,
    int retention,
    double max,
    double min) {

  public TsMeta {
    custom = MetaJson.unmodifiable(custom);
  }

  /** Nothing but a series that was created then. */
  public static TsMeta of(String tsuid, long created) {
    return new TsMeta(tsuid, "", "", "", created, null, "", "", 0, Double.NaN, Double.NaN);
  }

  /** The same of another series. */
  public TsMeta withTsuid(String other) {
    return new TsMeta(
        other,
        displayName,
        description,
        notes,
        created,
        custom,
        units,
        dataType,
        retention,
        max,
        min);
  }

  boolean saysAnything() {
    return !displayName.isEmpty()
        || !description.isEmpty()
        || !notes.isEmpty()
        || created != 0
        || custom != null
        || !units.isEmpty()
        || !dataType.isEmpty()
        || retention != 0
        || !Double.isNaN(max)
        || !Double.isNaN(min);
  }

  /**
   * This one, with fields that it doesn't set taken from the stored one; or this one alone, if it
   * overwrites.
   */
  TsMeta onto(TsMeta stored, boolean overwrite) {
    return new TsMeta(
        stored.tsuid.isEmpty() ? tsuid : stored.tsuid,
        overwrite ? displayName : MetaJson.or(displayName, stored.displayName),
        overwrite ? description : MetaJson.or(description, stored.description),
        overwrite ? notes : MetaJson.or(notes, stored.notes),
        MetaJson.older(stored.created, created),
        overwrite || custom != null ? custom : stored.custom,
        overwrite ? units : MetaJson.or(units, stored.units),
        overwrite ? dataType : MetaJson.or(dataType, stored.dataType),
        overwrite || retention != 0 ? retention : stored.retention,
        overwrite || !Double.isNaN(max) ? max : stored.max,
        overwrite || !Double.isNaN(min) ? min : stored.min);
  }

  /** A cell's value: UTF-8 JSON with its fields in this order. */
  byte[] toStored() {
    ObjectNode json =
        Json.object()
            .put("tsuid", tsuid)
            .put("displayName", displayName)
            .put("description", description)
            .put("notes", notes)
            .put("created", created);
    MetaJson.putCustom(json, custom);
    return Json.bytes(
        json.put("units", units)
            .put("dataType", dataType)
            .put("retention", retention)
            .put("max", max)
            .put("min", min));
  }

  static TsMeta ofStored(byte[] value) {
    return MetaJson.read(
        value,
        "a TSMeta",
        json ->
            new TsMeta(
                Json.string(json, "tsuid"),
                Json.string(json, "displayName"),
                Json.string(json, "description"),
                Json.string(json, "notes"),
                Json.integer(json, "created"),
                Json.strings(json, "custom"),
                Json.string(json, "units"),
                Json.string(json, "dataType"),
                (int) Json.integer(json, "retention"),
                Json.decimal(json, "max"),
                Json.decimal(json, "min")));
  }
}
