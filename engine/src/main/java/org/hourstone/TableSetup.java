package org.hourstone;

import java.util.Collection;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.Trait;

/**
 * The tables of a database. Only this class knows the setting that decides whether they are
 * created.
 */
final class TableSetup {
  private TableSetup() {}

  /** Creates the families or checks that they exist, as configured. */
  static void ensure(KeyValueStore store, Collection<FamilySpec> families, TsdbOptions options) {
    SchemaMode mode = schemaMode(store, options);
    try {
      store.ensure(families, mode);
    } catch (StoreException e) {
      if (mode == SchemaMode.CREATE || e.outcome() != StoreException.Outcome.REJECTED) {
        throw e;
      }
      throw new StoreException(
          e.outcome(),
          e.getMessage() + "; " + Settings.CREATE_TABLES.key() + "=true creates them",
          e);
    }
  }

  /**
   * Whether tables are created: by the setting, else depending on whether an operator creates them.
   */
  static SchemaMode schemaMode(KeyValueStore store, TsdbOptions options) {
    boolean create =
        options.get(Settings.CREATE_TABLES).orElse(!store.traits().contains(Trait.MANAGED_TABLES));
    return create ? SchemaMode.CREATE : SchemaMode.VERIFY;
  }
}
