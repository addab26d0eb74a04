package org.hourstone.tsd.regions;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hourstone.Settings;
import org.hourstone.Tables;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.Schema;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.rollup.RollupConfig;
import org.jspecify.annotations.Nullable;

/** The tables that the settings name. */
final class TableList {
  private final TsdbOptions options;

  TableList(TsdbOptions options) {
    this.options = options;
  }

  /** All families, the index's only if it is on. */
  List<FamilySpec> families() {
    List<FamilySpec> families = new ArrayList<>(options.tables().families());
    for (Family family : options.tables().pointsAndRollups(rollups())) {
      if (!family.equals(options.tables().points())) {
        families.add(new FamilySpec(family, false));
      }
    }
    if (options.get(Settings.INDEX_ENABLE).orElse(false)) {
      families.add(new FamilySpec(options.indexFamily(), false));
    }
    return families;
  }

  private Collection<String> rollups() {
    RollupConfig config = options.rollupConfig();
    return config == null ? List.of() : config.tables();
  }

  /** The form of row keys, by table; null if they have no metric that splits could begin with. */
  Map<String, @Nullable KeyForm> forms() {
    Schema schema = options.schema();
    Tables tables = options.tables();
    Map<String, @Nullable KeyForm> forms = new LinkedHashMap<>();
    families().forEach(spec -> forms.put(spec.family().table(), null));
    tables
        .pointsAndRollups(rollups())
        .forEach(family -> forms.put(family.table(), KeyForm.ofPoints(schema)));
    forms.put(tables.meta(), KeyForm.ofSeries(schema));
    return forms;
  }
}
