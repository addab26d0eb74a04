package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.Optional;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.tree.Branch;
import org.hourstone.tree.Leaf;
import org.hourstone.tree.RuleType;
import org.hourstone.tree.TreeRule;
import org.hourstone.tree.TreeSyncReport;
import org.hourstone.tree.TreeSyncStats;
import org.hourstone.uid.UidKind;
import org.junit.jupiter.api.Test;

/** Trees over a store: as the API answers of them, and as points and metadata make them grow. */
public abstract class TreeApiContract extends TreeCase {
  @Test
  final void theApiMakesChangesAndDeletesTrees() {
    assertThat(get("/api/tree")).isEqualTo("[]");
    assertThat(ask("POST", "/api/tree", "{\"name\":\"T\",\"notes\":\"n\"}").body())
        .isEqualTo(
            "{\"name\":\"T\",\"description\":\"\",\"notes\":\"n\",\"enabled\":false,"
                + "\"rules\":null,\"created\":0,\"treeId\":1,\"strictMatch\":false,"
                + "\"storeFailures\":false}");
    assertThat(ask("POST", "/api/tree?treeid=1&strict_match=true&description=d", "").body())
        .contains(
            "\"name\":\"T\"", "\"strictMatch\":true", "\"notes\":\"n\"", "\"description\":\"d");
    assertThat(ask("PUT", "/api/tree", "{\"treeId\":1,\"name\":\"R\"}").body())
        .contains("\"name\":\"R\"", "\"strictMatch\":false", "\"notes\":\"\"");
    assertThat(ask("POST", "/api/tree", "{\"treeId\":1,\"name\":\"\"}"))
        .isEqualTo(new ApiResponse(304, ""));
    assertThat(ask("DELETE", "/api/tree", "{\"treeId\":1,\"definition\":true}"))
        .isEqualTo(new ApiResponse(204, ""));
    assertThat(cells()).isEmpty();
  }

  @Test
  final void theApiAnswersWhatItCanNotDo() {
    assertThat(ask("GET", "/api/tree?treeid=4", ""))
        .isEqualTo(
            new ApiResponse(
                404, "{\"error\":{\"code\":404,\"message\":\"Unable to locate tree: 4\"}}"));
    for (String uri :
        List.of("/api/tree/rule?treeid=4&level=0&order=0", "/api/tree/collisions?treeid=4")) {
      assertThat(ask("GET", uri, "").status()).describedAs(uri).isEqualTo(404);
    }
    assertThat(ask("GET", "/api/tree/branch?treeid=4", "").status()).isEqualTo(404);
    assertThat(ask("DELETE", "/api/tree?treeid=4", "").status()).isEqualTo(404);
    assertThat(ask("POST", "/api/tree", "{\"notes\":\"x\"}").status()).isEqualTo(400);
    assertThat(ask("POST", "/api/tree", "{").status()).isEqualTo(400);
    assertThat(ask("POST", "/api/tree", "[]").status()).isEqualTo(400);
    assertThat(ask("GET", "/api/tree?treeid=x", "").status()).isEqualTo(400);
    assertThat(ask("GET", "/api/tree/rule?level=0", "").status()).isEqualTo(400);
    assertThat(ask("GET", "/api/tree/branch?branch=00", "").status()).isEqualTo(400);
    assertThat(ask("GET", "/api/tree/branch?branch=xyz1", "").status()).isEqualTo(400);
    assertThat(ask("PATCH", "/api/tree", "").status()).isEqualTo(405);
    assertThat(ask("POST", "/api/tree/branch", "").status()).isEqualTo(405);
    assertThat(ask("GET", "/api/tree/rules", "").status()).isEqualTo(405);
    assertThat(ask("DELETE", "/api/tree/notmatched", "").status()).isEqualTo(405);
  }

  @Test
  final void theApiMakesChangesAndDeletesRules() {
    trees.create(definition("T", false));
    String place = "\"treeId\":1,\"level\":2,\"order\":3";

    assertThat(ask("POST", "/api/tree/rule", "{" + place + ",\"type\":\"tagk\"}").body())
        .isEqualTo(
            "{\"error\":{\"code\":400,\"message\":\"Missing field name required for TAGK rule\","
                + "\"details\":\"Missing field name required for TAGK rule\"}}");
    ask("POST", "/api/tree/rule", "{" + place + ",\"type\":\"tagk\",\"field\":\"dc\"}");
    assertThat(
            ask("POST", "/api/tree/rule?treeid=1&level=2&order=3&regex=(a)&display_format=x", "")
                .body())
        .isEqualTo(
            "{\"type\":\"TAGK\",\"field\":\"dc\",\"regex\":\"(a)\",\"separator\":\"\","
                + "\"description\":\"\",\"notes\":\"\",\"level\":2,\"order\":3,\"treeId\":1,"
                + "\"customField\":\"\",\"regexGroupIdx\":0,\"displayFormat\":\"x\"}");
    assertThat(get("/api/tree/rule?treeid=1&level=2&order=3")).contains("\"regex\":\"(a)\"");
    assertThat(ask("PUT", "/api/tree/rule", "{" + place + ",\"type\":\"METRIC\"}").body())
        .contains("\"type\":\"METRIC\"", "\"field\":\"\"", "\"regex\":\"\"");
    assertThat(get("/api/tree")).contains("\"rules\":{\"2\":{\"3\":{\"type\":\"METRIC\"");
    assertThat(ask("POST", "/api/tree/rule", "{" + place + ",\"regex\":\"(\"}").status())
        .isEqualTo(400);
    assertThat(ask("POST", "/api/tree/rule", "{" + place + ",\"type\":\"BOGUS\"}").status())
        .isEqualTo(400);
    assertThat(ask("POST", "/api/tree/rule", "{\"treeId\":1,\"type\":\"\"}").status())
        .isEqualTo(304);
    assertThat(ask("DELETE", "/api/tree/rule?treeid=1&level=2&order=3", "").status())
        .isEqualTo(204);
    assertThat(ask("DELETE", "/api/tree/rule?treeid=1&level=2&order=3", "").status())
        .isEqualTo(404);
    assertThat(cells()).hasSize(1);
  }

  @Test
  final void theApiChangesReplacesAndDeletesManyRules() {
    trees.create(definition("T", false));
    String first = "{\"treeId\":1,\"level\":0,\"order\":0,\"type\":\"METRIC\"}";
    String second = "{\"treeId\":1,\"level\":1,\"order\":0,\"type\":\"TAGK\",\"field\":\"dc\"}";

    assertThat(ask("POST", "/api/tree/rules", "[" + first + "," + second + "]"))
        .isEqualTo(new ApiResponse(204, ""));
    assertThat(
            ask("POST", "/api/tree/rules", "[{\"treeId\":1,\"level\":1,\"notes\":\"n\"}]").status())
        .isEqualTo(204);
    assertThat(trees.get(1).orElseThrow().rules())
        .extracting(TreeRule::toString, TreeRule::notes)
        .containsExactly(tuple("[1:0:0:METRIC]", ""), tuple("[1:1:0:TAGK]", "n"));
    assertThat(ask("PUT", "/api/tree/rules", "[" + second + "]").status()).isEqualTo(204);
    assertThat(trees.get(1).orElseThrow().rules())
        .extracting(TreeRule::toString, TreeRule::notes)
        .containsExactly(tuple("[1:1:0:TAGK]", ""));
    assertThat(ask("PUT", "/api/tree/rules", "[" + second + ",{\"treeId\":2}]").status())
        .isEqualTo(400);
    assertThat(ask("PUT", "/api/tree/rules", "[]").status()).isEqualTo(400);
    assertThat(ask("DELETE", "/api/tree/rules?treeid=1", "").status()).isEqualTo(204);
    assertThat(trees.get(1).orElseThrow().rules()).isEmpty();
  }

  @Test
  final void theApiNamesTheSeriesOfALeaf() {
    grow(false, tag(0, "host"));
    db.putLine("put sys.cpu 1500001200 1 host=web01").join();
    db.flush();
    db.engine().treeSync().sync(series("000001000001000001", "sys.cpu", "host", "web01"));
    db.engine().treeSync().sync(series("0000FF000001000001", "unknown", "host", "web02"));

    assertThat(get("/api/tree/branch?branch=0001"))
        .isEqualTo(
            "{\"leaves\":[{\"metric\":\"sys.cpu\",\"tags\":{\"host\":\"web01\"},"
                + "\"tsuid\":\"000001000001000001\",\"displayName\":\"web01\"},"
                + "{\"metric\":\"\",\"tags\":null,"
                + "\"tsuid\":\"0000FF000001000001\",\"displayName\":\"web02\"}],"
                + "\"branches\":null,\"path\":{\"0\":\"ROOT\"},\"displayName\":\"ROOT\","
                + "\"treeId\":1,\"branchId\":\"0001\",\"depth\":0}");
  }

  @Test
  final void aSeriesIsSyncedWithItsFirstPoint() {
    useMetadata();
    grow(false, tag(0, "host"));
    db.putLine("put sys.cpu 1500001200 1 host=web01").join();
    db.flush();
    db.putLine("put sys.cpu 1500001201 1 host=web01").join();
    db.flush();

    assertThat(view(Branch.root(1)).leaves())
        .containsExactly(new Leaf("web01", "000001000001000001"));
    assertThat(db.engine().treeSync().stats()).isEqualTo(new TreeSyncStats(1, 0, 0));
  }

  @Test
  final void allSeriesThatHaveMetadataAreSyncedLater() {
    useMetadata();
    db.putLine("put sys.cpu 1500001200 1 host=web01").join();
    db.flush();
    db.putLine("put sys.mem 1500001200 1 host=web02").join();
    db.flush();
    db.uids().delete(UidKind.METRIC, "sys.mem");
    grow(false, tag(0, "host"));

    TreeSyncReport report = db.engine().seriesTrees().syncAll(Optional.empty());

    assertThat(report.series()).isEqualTo(2);
    assertThat(report.placed()).isEqualTo(1);
    assertThat(report.failures())
        .singleElement()
        .asString()
        .startsWith("series 000002000001000002: No such unique ID for 'metrics'");
    assertThat(view(Branch.root(1)).leaves())
        .extracting(Leaf::displayName)
        .containsExactly("web01");
  }

  @Test
  final void rulesUseCustomFieldsOfMetadata() {
    useMetadata();
    db.putLine("put sys.cpu 1500001200 1 host=web01").join();
    db.flush();
    ask(
        "POST",
        "/api/uid/uidmeta",
        "{\"uid\":\"000001\",\"type\":\"tagv\",\"custom\":{\"rack\":\"r7\"}}");
    trees.create(definition("T", false));
    trees.updateRule(
        1, 0, 0, rule -> TreeRule.at(1, 0, 0).ofCustom(RuleType.TAGV_CUSTOM, "web01", "rack"));

    db.engine().seriesTrees().syncAll(Optional.of(1));

    assertThat(view(Branch.root(1)).leaves()).extracting(Leaf::displayName).containsExactly("r7");
  }

  @Test
  final void theApiTellsWhereASeriesWouldBePut() {
    useMetadata();
    db.putLine("put sys.cpu 1500001200 1 host=web01").join();
    db.flush();
    grow(true, tag(0, "host"), tag(1, "dc"));

    assertThat(get("/api/tree/test?treeid=1&tsuids=000001000001000001"))
        .contains(
            "No match on tagk [dc] for rule: [1:1:0:TAGK]",
            "\"branch\":{\"leaves\":null,\"branches\":null,\"path\":{\"0\":\"ROOT\"}");
    assertThat(get("/api/tree/test?treeid=1&tsuids=000009000001000001"))
        .isEqualTo(
            "{\"000009000001000001\":{\"meta\":null,"
                + "\"messages\":[\"Unable to locate TSUID meta data\"],\"branch\":null}}");
    assertThat(ask("GET", "/api/tree/test?treeid=1", "").status()).isEqualTo(400);
    assertThat(ask("POST", "/api/tree/test", "{\"treeId\":2,\"tsuids\":[\"01\"]}").status())
        .isEqualTo(404);
    assertThat(trees.branch(Branch.root(1).id())).isEmpty();
  }
}
