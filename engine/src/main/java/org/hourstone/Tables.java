package org.hourstone;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;

/**
 * The four tables and their column families. See {@code docs/format/tables.md}.
 *
 * @param data name of the table of points
 * @param uid name of the table of names and UIDs
 * @param meta name of the table of series' metadata
 * @param tree name of the table of trees
 */
public record Tables(String data, String uid, String meta, String tree) {
  private static final String POINTS = "t";

  /** The family of points, annotations and histograms. */
  public Family points() {
    return new Family(data, POINTS);
  }

  /** The family that leads from names to UIDs. */
  public Family uidIds() {
    return new Family(uid, "id");
  }

  /** The family that leads from UIDs to names. */
  public Family uidNames() {
    return new Family(uid, "name");
  }

  /** The family of series' metadata. */
  public Family seriesMeta() {
    return new Family(meta, "name");
  }

  /** The family of trees, branches and leaves. */
  public Family trees() {
    return new Family(tree, "t");
  }

  /** All families, ordered by table and name. Points may be coded. */
  public List<FamilySpec> families() {
    List<FamilySpec> families = new ArrayList<>();
    families.add(new FamilySpec(points(), true, new PointsCodec()));
    families.add(new FamilySpec(uidIds(), false));
    families.add(new FamilySpec(uidNames(), false));
    families.add(new FamilySpec(seriesMeta(), false));
    families.add(new FamilySpec(trees(), false));
    return families;
  }

  /** All families, and those of rolled-up values in tables of these names, which may be coded. */
  List<FamilySpec> withRollups(Collection<String> rollupTables) {
    List<FamilySpec> families = new ArrayList<>(families());
    rollups(rollupTables)
        .forEach(family -> families.add(new FamilySpec(family, false, new RollupsCodec())));
    return families;
  }

  /** The families whose row keys are like those of points, rolled-up values included. */
  public List<Family> pointsAndRollups(Collection<String> rollupTables) {
    List<Family> families = new ArrayList<>(List.of(points()));
    families.addAll(rollups(rollupTables));
    return families;
  }

  private List<Family> rollups(Collection<String> tables) {
    return tables.stream()
        .filter(table -> !table.equals(data))
        .map(table -> new Family(table, POINTS))
        .toList();
  }

  /** The tables' names by role: data, uid, meta, tree. */
  public Map<String, String> byRole() {
    return new TreeMap<>(Map.of("data", data, "uid", uid, "meta", meta, "tree", tree));
  }
}
