package org.hourstone.api.name;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.ApiOptions;
import org.hourstone.api.endpoint.BodyDialect;
import org.hourstone.api.endpoint.BudgetedResponse;
import org.hourstone.api.endpoint.Endpoint;
import org.hourstone.api.endpoint.TsuidCheck;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.internal.Json;
import org.hourstone.internal.UidText;
import org.hourstone.meta.SeriesMeta;
import org.hourstone.tree.Placement;
import org.hourstone.tree.TreeBuilder;
import org.hourstone.uid.NoSuchUidException;

/** {@code /api/tree/test}: shows where series would be put in a tree. Stores nothing. */
public final class TreeTestEndpoint implements Endpoint {
  private final Tsdb db;
  private final TsuidCheck check;
  private final MetaBody meta;
  private final BodyDialect bodies;

  public TreeTestEndpoint(Tsdb db, ApiOptions options) {
    this.db = db;
    this.check = new TsuidCheck(options.keys());
    this.meta = new MetaBody(db, options.keys());
    this.bodies = options.requests().bodies();
  }

  @Override
  public ApiResponse respond(ApiCall call) {
    TreeFields fields = TreeFields.of(call, bodies, TreeFields.SERIES);
    List<String> tsuids = fields.list("tsuids");
    if (tsuids.isEmpty()) {
      throw new ApiException(ApiException.BAD_REQUEST, "Missing TSUIDs to test");
    }
    TreeBuilder builder = new TreeBuilder(TreeEndpoint.find(db.trees(), fields.treeId()));
    if (!bodies.takesUnknownMembers()) {
      tsuids.forEach(tsuid -> check.check(tsuid, "tsuids"));
    }
    return BudgetedResponse.of(
        db,
        call,
        () -> "test of a tree with " + tsuids.size() + " series",
        budget -> {
          Map<String, JsonNode> tested = new HashMap<>();
          for (String tsuid : tsuids) {
            JsonNode test = test(builder, UidText.parse(tsuid));
            budget.memory().grow(MetaBody.sizeInMemory(test));
            tested.put(tsuid, test);
          }
          return ApiResponse.ok(tested);
        });
  }

  private JsonNode test(TreeBuilder builder, byte[] tsuid) {
    SeriesMeta found = db.metadata().series().find(tsuid);
    if (found == null) {
      return respond(Json.nothing(), List.of("Unable to locate TSUID meta data"), Json.nothing());
    }
    try {
      Placement placement = builder.place(db.seriesTrees().series(tsuid));
      return respond(
          meta.series(tsuid, found), placement.messages(), TreeResponses.root(placement));
    } catch (NoSuchUidException e) {
      return respond(
          Json.nothing(),
          List.of("TSUID was missing a UID name: " + e.getMessage()),
          Json.nothing());
    }
  }

  private static JsonNode respond(JsonNode meta, List<String> messages, JsonNode branch) {
    ObjectNode json = Json.object();
    json.set("meta", meta);
    ArrayNode texts = json.putArray("messages");
    messages.forEach(texts::add);
    json.set("branch", branch);
    return json;
  }
}
