package org.hourstone.kv.hbase;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.TableAdvice;

/** Compares tables with those that Hourstone would create, and asks for this user's rights. */
final class HBaseAdvice implements TableAdvice {
  /** The limit of all questions of a call: advice is worth no longer wait. */
  private static final Duration MOST = Duration.ofSeconds(10);

  private final AsyncAdmin admin;
  private final Names names;
  private final InFlightCalls calls;
  private final TableOptions options;

  HBaseAdvice(AsyncAdmin admin, Names names, InFlightCalls calls, TableOptions options) {
    this.admin = admin;
    this.names = names;
    this.calls = calls;
    this.options = options;
  }

  /** Questions about a table; all are sent before the first response is awaited. */
  private record Question(
      TableName table,
      List<FamilySpec> families,
      CompletableFuture<TableDescriptor> descriptor,
      Map<Action, CompletableFuture<List<Boolean>>> rights) {}

  @Override
  public List<String> advice(Collection<FamilySpec> families) {
    Map<String, List<FamilySpec>> tables = new TreeMap<>();
    families.forEach(
        spec -> tables.computeIfAbsent(spec.family().table(), any -> new ArrayList<>()).add(spec));
    return calls.call(
        () -> {
          long deadline = System.nanoTime() + MOST.toNanos();
          List<Question> questions = new ArrayList<>();
          tables.forEach((table, specs) -> questions.add(ask(names.table(table), specs)));
          List<String> lines = new ArrayList<>();
          questions.forEach(question -> add(question, deadline, lines));
          return lines;
        });
  }

  private Question ask(TableName table, List<FamilySpec> families) {
    Map<Action, CompletableFuture<List<Boolean>>> rights = new TreeMap<>();
    for (Action action : List.of(Action.READ, Action.WRITE, Action.CREATE)) {
      Permission right = Permission.newBuilder(table).withActions(action).build();
      rights.put(action, admin.hasUserPermissions(List.of(right)));
    }
    return new Question(table, families, admin.getDescriptor(table), rights);
  }

  private void add(Question question, long deadline, List<String> lines) {
    List<Action> needed = List.of(Action.READ, Action.WRITE);
    List<String> denied = new ArrayList<>();
    try {
      lines.addAll(
          DescriptorAdvice.of(
              InFlightCalls.await(question.descriptor(), deadline - System.nanoTime()),
              question.families(),
              options));
    } catch (CallFailedException e) {
      if (HBaseErrors.find(e.failure(), TableNotFoundException.class) != null) {
        needed = List.of(Action.CREATE);
      } else if (HBaseErrors.find(e.failure(), AccessDeniedException.class) != null) {
        denied.add("see");
      }
    }
    for (Action action : needed) {
      CompletableFuture<List<Boolean>> answer = question.rights().get(action);
      if (answer != null && isDenied(answer, deadline)) {
        denied.add(action.name().toLowerCase(Locale.ROOT));
      }
    }
    if (!denied.isEmpty()) {
      // HBase shows a table's families, which opening the store checks, only with C or A.
      lines.add(
          "this user may not %s table %s: grant 'USER', 'RWC', '%2$s'"
              .formatted(String.join(", ", denied), question.table()));
    }
  }

  /** Servers without access control, or of an older version, fail; then everything is permitted. */
  private static boolean isDenied(CompletableFuture<List<Boolean>> answer, long deadline) {
    try {
      return InFlightCalls.await(answer, deadline - System.nanoTime()).contains(false);
    } catch (CallFailedException e) {
      return HBaseErrors.find(e.failure(), AccessDeniedException.class) != null;
    }
  }

  @Override
  public Optional<Duration> timeToLive(Family family) {
    return calls.call(
        () -> {
          try {
            ColumnFamilyDescriptor present =
                InFlightCalls.await(admin.getDescriptor(names.table(family)), MOST.toNanos())
                    .getColumnFamily(Names.bytes(family));
            return present == null || present.getTimeToLive() == HConstants.FOREVER
                ? Optional.empty()
                : Optional.of(Duration.ofSeconds(present.getTimeToLive()));
          } catch (CallFailedException e) {
            return Optional.empty();
          }
        });
  }
}
