package org.hourstone.kv.hbase;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.InvalidFamilyOperationException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.SchemaMode;
import org.jspecify.annotations.Nullable;

/** Lists the existing tables and families, and creates missing ones. */
final class TableCreation {
  /**
   * The number of times creation is restarted because other clients create or change the same
   * tables.
   */
  private static final int ROUNDS = 5;

  private final AsyncAdmin admin;
  private final Names names;
  private final InFlightCalls calls;
  private final HBaseErrors errors;
  private final TableOptions options;
  private final Opening opening;

  TableCreation(
      AsyncAdmin admin,
      Names names,
      InFlightCalls calls,
      HBaseErrors errors,
      TableOptions options,
      Opening opening) {
    this.admin = admin;
    this.names = names;
    this.calls = calls;
    this.errors = errors;
    this.options = options;
    this.opening = opening;
  }

  List<Family> families() {
    List<Family> families = new ArrayList<>();
    for (TableDescriptor table : allTables()) {
      if (names.includes(table.getTableName())) {
        for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
          families.add(new Family(names.name(table.getTableName()), family.getNameAsString()));
        }
      }
    }
    families.sort(null);
    return families;
  }

  void ensure(Collection<FamilySpec> specs, SchemaMode mode) {
    List<Missing> missing = missing(specs);
    if (mode == SchemaMode.CREATE) {
      for (int round = 0; round < ROUNDS && !missing.isEmpty(); round++) {
        create(missing);
        missing = missing(specs);
      }
    }
    if (!missing.isEmpty()) {
      List<Family> families = new ArrayList<>();
      missing.forEach(table -> table.specs().forEach(spec -> families.add(spec.family())));
      String prefix = names.prefix();
      throw errors.rejected(
          "missing families "
              + families
              + (prefix.isEmpty() ? "" : " in tables whose names begin with " + prefix));
    }
  }

  /** A table that is missing or lacks families. */
  private record Missing(TableName table, boolean exists, List<FamilySpec> specs) {}

  private List<Missing> missing(Collection<FamilySpec> specs) {
    Map<String, List<FamilySpec>> tables = new TreeMap<>();
    for (FamilySpec spec : specs) {
      tables.computeIfAbsent(spec.family().table(), table -> new ArrayList<>()).add(spec);
    }
    List<Question> questions = new ArrayList<>();
    tables.forEach((table, wanted) -> questions.add(ask(names.table(table), wanted)));
    long deadline = System.nanoTime() + opening.forTables().toNanos();
    List<Missing> missing = new ArrayList<>();
    for (Question question : questions) {
      TableDescriptor present = descriptor(question, deadline);
      List<FamilySpec> absent = new ArrayList<>(question.specs());
      if (present != null) {
        absent.removeIf(spec -> present.hasColumnFamily(Names.bytes(spec.family())));
        if (isDisabled(question, deadline)) {
          throw errors.rejected("table " + question.table() + " is disabled");
        }
      }
      if (!absent.isEmpty()) {
        missing.add(new Missing(question.table(), present != null, absent));
      }
    }
    return missing;
  }

  /** A request to the master about a table; all are sent before the first response is awaited. */
  private record Question(
      TableName table,
      List<FamilySpec> specs,
      CompletableFuture<TableDescriptor> descriptor,
      CompletableFuture<Boolean> disabled) {}

  private Question ask(TableName table, List<FamilySpec> specs) {
    return new Question(table, specs, admin.getDescriptor(table), admin.isTableDisabled(table));
  }

  private void create(List<Missing> tables) {
    Map<Missing, CompletableFuture<Void>> made = new LinkedHashMap<>();
    for (Missing table : tables) {
      made.put(table, table.exists() ? addFamilies(table) : createTable(table));
    }
    made.forEach(
        (table, making) -> {
          try {
            calls.await(making);
          } catch (CallFailedException e) {
            if (!isMadeByAnother(e.failure())) {
              throw errors.schema("cannot create " + table.table(), e.failure());
            }
          }
        });
  }

  private CompletableFuture<Void> createTable(Missing table) {
    TableDescriptor descriptor = options.table(table.table(), table.specs());
    byte[][] splits = options.splits(table.specs());
    return splits.length == 0
        ? admin.createTable(descriptor)
        : admin.createTable(descriptor, splits);
  }

  /** One after the other: each change is computed from the table's state at its turn. */
  private CompletableFuture<Void> addFamilies(Missing table) {
    CompletableFuture<Void> added = CompletableFuture.completedFuture(null);
    for (FamilySpec spec : table.specs()) {
      added =
          added.thenCompose(before -> admin.addColumnFamily(table.table(), options.family(spec)));
    }
    return added;
  }

  private static boolean isMadeByAnother(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof TableExistsException || t instanceof InvalidFamilyOperationException) {
        return true;
      }
    }
    return false;
  }

  private @Nullable TableDescriptor descriptor(Question question, long deadline) {
    try {
      return InFlightCalls.await(question.descriptor(), deadline - System.nanoTime());
    } catch (CallFailedException e) {
      for (Throwable t = e.failure(); t != null; t = t.getCause()) {
        if (t instanceof TableNotFoundException) {
          return null;
        }
      }
      throw errors.schema("cannot read the schema of table " + question.table(), e.failure());
    }
  }

  private boolean isDisabled(Question question, long deadline) {
    try {
      return InFlightCalls.await(question.disabled(), deadline - System.nanoTime());
    } catch (CallFailedException e) {
      throw errors.schema("cannot read the schema of table " + question.table(), e.failure());
    }
  }

  private List<TableDescriptor> allTables() {
    return calls.await(
        admin.listTableDescriptors(false),
        failure -> errors.schema("cannot list the tables", failure));
  }
}
