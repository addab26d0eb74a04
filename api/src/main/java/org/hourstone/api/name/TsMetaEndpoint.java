package org.hourstone.api.name;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;
import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.endpoint.BodyValue;
import org.hourstone.api.endpoint.BudgetedResponse;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.endpoint.ErrorDialect;
import org.hourstone.api.endpoint.SeriesText;
import org.hourstone.api.endpoint.TsuidCheck;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.codec.RowKey;
import org.hourstone.codec.TagPair;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.hourstone.internal.UidText;
import org.hourstone.meta.SeriesMeta;
import org.hourstone.meta.TsMeta;
import org.hourstone.meta.TsMetaTable;
import org.hourstone.uid.NoSuchNameException;
import org.hourstone.uid.NoSuchUidException;
import org.hourstone.uid.UidKind;

/** {@code /api/uid/tsmeta}: the metadata of series. */
public final class TsMetaEndpoint implements Endpoint {
  private static final Map<String, String> PARAMETERS =
      Map.of(
          "tsuid", "tsuid",
          "display_name", "displayName",
          "description", "description",
          "notes", "notes",
          "units", "units",
          "data_type", "dataType",
          "retention", "retention",
          "max", "max",
          "min", "min");

  private final Tsdb db;
  private final RowKey keys;
  private final MetaBody json;
  private final BodyDialect bodies;
  private final ErrorDialect errors;

  public TsMetaEndpoint(Tsdb db, ApiOptions options) {
    this.db = db;
    this.keys = options.keys();
    this.json = new MetaBody(db, keys);
    this.bodies = options.requests().bodies();
    this.errors = options.errors();
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    try {
      return switch (call.method()) {
        case "GET" -> call.has("tsuid") ? get(call.required("tsuid")) : list(call);
        case "POST" -> save(call, false);
        case "PUT" -> save(call, true);
        case "DELETE" -> delete(said(call));
        default -> throw ApiException.methodNotAllowed(call);
      };
    } catch (NoSuchNameException | NoSuchUidException e) {
      throw new ApiException(
          ApiException.NOT_FOUND, "Unable to find one or more UIDs", e.getMessage());
    }
  }

  private ApiResponse get(String text) {
    try {
      byte[] tsuid = UidText.parse(text);
      return ApiResponse.ok(json.series(tsuid, found(tsuid)));
    } catch (RequestException e) {
      throw errors.invalidUid(e);
    }
  }

  private SeriesMeta found(byte[] tsuid) {
    SeriesMeta found = keys.isTsuid(tsuid) ? table().find(tsuid) : null;
    if (found == null) {
      throw new ApiException(ApiException.NOT_FOUND, "Could not find Timeseries meta data");
    }
    return found;
  }

  /** All series of a metric that have at least the given tags. */
  private ApiResponse list(ApiCall call) {
    String text = call.required("m");
    SeriesText wanted = SeriesText.parse(text);
    return BudgetedResponse.of(
        db,
        call,
        () -> "metadata of " + text,
        budget -> {
          ArrayNode array = Json.array();
          table()
              .forEach(
                  db.uids().uid(UidKind.METRIC, wanted.metric()),
                  tags(wanted),
                  (tsuid, series) -> {
                    budget.check();
                    JsonNode found = json.series(tsuid, series);
                    budget.memory().grow(MetaBody.sizeInMemory(found));
                    array.add(found);
                  });
          return ApiResponse.ok(array);
        });
  }

  private ApiResponse save(ApiCall call, boolean overwrite) {
    try {
      TsMeta said = MetaBody.readSeries(said(call));
      if (said.tsuid().isEmpty()) {
        return saveByName(call, said, overwrite);
      }
      if (call.has("m") && !bodies.takesUnknownMembers()) {
        throw new RequestException("m and a TSUID can't be combined");
      }
      return save(UidText.parse(said.tsuid()), said, overwrite);
    } catch (RequestException e) {
      throw ApiException.explained(e);
    }
  }

  private ApiResponse saveByName(ApiCall call, TsMeta said, boolean overwrite) {
    SeriesText name = SeriesText.parse(call.required("m"));
    if (name.tags().isEmpty()) {
      throw new RequestException("a series has at least one tag: " + call.required("m"));
    }
    byte[] tsuid = keys.tsuid(db.uids().uid(UidKind.METRIC, name.metric()), tags(name));
    TsMeta meta = said.withTsuid(UidText.format(tsuid));
    boolean create = call.parameter("create").orElse("").equals("true");
    if (create && table().find(tsuid) == null) {
      table().createCounter(tsuid);
      if (table().create(tsuid, meta)) {
        return ApiResponse.ok(json.series(tsuid, found(tsuid)));
      }
    }
    return save(tsuid, meta, overwrite);
  }

  private ApiResponse save(byte[] tsuid, TsMeta meta, boolean overwrite) {
    if (!keys.isTsuid(tsuid)) {
      throw new RequestException("Requested TSMeta did not exist");
    }
    return table().save(tsuid, meta, overwrite).isEmpty()
        ? ApiResponse.notModified()
        : ApiResponse.ok(json.series(tsuid, found(tsuid)));
  }

  private ApiResponse delete(BodyValue said) {
    String tsuid = said.member("tsuid").text();
    if (tsuid.isEmpty()) {
      throw new ApiException(
          ApiException.BAD_REQUEST, "Unable to delete TSMeta information", "Missing UID");
    }
    byte[] series = UidText.parse(tsuid);
    if (!bodies.takesUnknownMembers() && !keys.isTsuid(series)) {
      throw TsuidCheck.refused("tsuid", tsuid, "");
    }
    table().delete(series);
    return ApiResponse.noContent();
  }

  private BodyValue said(ApiCall call) {
    return call.body().isEmpty()
        ? MetaBody.ofParameters(call, PARAMETERS, bodies)
        : MetaBody.bodyOfSeries(call, bodies);
  }

  private List<TagPair> tags(SeriesText name) {
    return db.seriesNames().pairs(name.tags());
  }

  private TsMetaTable table() {
    return db.metadata().series();
  }
}
