package org.hourstone.tsd.regions;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.hourstone.RetentionSettings;
import org.hourstone.TsdbOptions;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.StoreException;
import org.hourstone.kv.TableAdvice;
import org.hourstone.kv.TableRegions;
import org.hourstone.tsd.session.SessionCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code status}. */
@Command(
    name = "status",
    description = {
      "Shows the tables of the store, and what should be changed: on HBase tables that are missing"
          + " or not as Hourstone would create them, points that expire earlier than the rules of"
          + " hourstone.retention say, too few regions for the salt, and rights that the user"
          + " lacks.",
      "",
      "The exit status is 0 if the store can be opened, with or without advice."
    },
    footer = {"  hourstone --store hbase://zk1/hbase status"})
public final class StatusCommand extends SessionCommand {
  @Override
  protected boolean run() {
    TsdbOptions options = session().settings().options();
    List<FamilySpec> wanted = new TableList(options).families();
    try (KeyValueStore store = session().store().openStoreToRead()) {
      out().line("store   " + store);
      List<String> advice = new ArrayList<>();
      attempt(advice, () -> tables(store, wanted));
      attempt(advice, () -> inspected(store, wanted, advice));
      attempt(advice, () -> fewRegions(store, options));
      advice.forEach(line -> out().line("advice  " + line));
      if (advice.isEmpty()) {
        out().line("advice  none");
      }
    }
    return true;
  }

  /** Adds what a check finds; what the store does not tell is shown and left out. */
  private void attempt(List<String> advice, Supplier<@Nullable String> check) {
    try {
      add(advice, check.get());
    } catch (StoreException e) {
      session().report(String.valueOf(e.getMessage()));
    }
  }

  private static void add(List<String> advice, @Nullable String line) {
    if (line != null) {
      advice.add(line);
    }
  }

  private @Nullable String tables(KeyValueStore store, List<FamilySpec> wanted) {
    List<Family> present = store.families();
    TreeSet<String> tables = new TreeSet<>();
    TreeSet<String> missing = new TreeSet<>();
    for (FamilySpec spec : wanted) {
      Family family = spec.family();
      (present.contains(family) ? tables : missing)
          .add(present.contains(family) ? family.table() : family.toString());
    }
    out().line("tables  " + (tables.isEmpty() ? "none" : String.join(", ", tables)));
    return missing.isEmpty()
        ? null
        : "families "
            + missing
            + " are missing, or this user may not see them:"
            + " hourstone.storage.create_tables=true creates those that are missing";
  }

  private @Nullable String inspected(
      KeyValueStore store, List<FamilySpec> wanted, List<String> advice) {
    store
        .extension(TableAdvice.class)
        .ifPresent(
            tables -> {
              advice.addAll(tables.advice(wanted));
              TsdbOptions options = session().settings().options();
              wanted.forEach(spec -> add(advice, ttl(spec.family(), tables, options)));
            });
    return null;
  }

  private static @Nullable String ttl(Family family, TableAdvice tables, TsdbOptions options) {
    if (family.equals(options.tables().points())) {
      return TableChecks.pointsTtl(
          family, tables.timeToLive(family), options.get(RetentionSettings.RULES));
    }
    boolean isNeeded =
        family.table().equals(options.tables().uid()) || family.equals(options.indexFamily());
    return isNeeded ? TableChecks.namesTtl(family, tables.timeToLive(family)) : null;
  }

  private static @Nullable String fewRegions(KeyValueStore store, TsdbOptions options) {
    String data = options.tables().data();
    return store
        .extension(TableRegions.class)
        .map(
            regions ->
                TableChecks.fewRegions(
                    data, regions.regions(data).size(), KeyForm.ofPoints(options.schema())))
        .orElse(null);
  }
}
