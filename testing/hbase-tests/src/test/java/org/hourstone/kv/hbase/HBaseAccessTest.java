package org.hourstone.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.security.PrivilegedAction;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.hourstone.hbase.HBaseProcess;
import org.hourstone.hbase.NeedsHBase;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.TableAdvice;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An HBase with access rights: the advice names those that a user lacks. */
@NeedsHBase
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class HBaseAccessTest {
  private static final String CONTROLLER =
      "org.apache.hadoop.hbase.security.access.AccessController";
  private static final FamilySpec POINTS = new FamilySpec(new Family("guarded", "t"), true);
  private static final FamilySpec MISSING = new FamilySpec(new Family("absent", "t"), true);

  private static HBaseProcess hbase;

  @BeforeAll
  static void startServers() throws Exception {
    hbase =
        HBaseProcess.start(
            "--set", "hbase.security.authorization=true",
            "--set", "hbase.coprocessor.master.classes=" + CONTROLLER,
            "--set", "hbase.coprocessor.region.classes=" + CONTROLLER,
            "--set", "hbase.coprocessor.regionserver.classes=" + CONTROLLER);
    try (KeyValueStore store = KeyValueStores.open(hbase.uri());
        AsyncConnection connection = TableCase.connect(hbase.uri())) {
      store.ensure(List.of(POINTS), SchemaMode.CREATE);
      grant(connection, "reader", Action.READ);
      grant(connection, "writer", Action.READ, Action.WRITE);
      grant(connection, "owner", Action.READ, Action.WRITE, Action.CREATE);
    }
  }

  private static void grant(AsyncConnection connection, String user, Action... actions) {
    Permission right =
        Permission.newBuilder(TableName.valueOf("guarded")).withActions(actions).build();
    connection.getAdmin().grant(new UserPermission(user, right), false).join();
  }

  @AfterAll
  static void stopServers() {
    hbase.close();
  }

  private static List<String> advice(String user, FamilySpec... families) {
    return UserGroupInformation.createRemoteUser(user)
        .doAs(
            (PrivilegedAction<List<String>>)
                () -> {
                  try (KeyValueStore store = KeyValueStores.open(hbase.uri())) {
                    return store
                        .extension(TableAdvice.class)
                        .orElseThrow()
                        .advice(List.of(families));
                  }
                });
  }

  @Test
  void whoMayDoEverythingGetsNoAdvice() {
    assertThat(advice("owner", POINTS)).isEmpty();
  }

  @Test
  void whoMayOnlyReadLearnsWhatIsMissing() {
    assertThat(advice("reader", POINTS))
        .containsExactly(
            "this user may not see, write table guarded: grant 'USER', 'RWC', 'guarded'");
  }

  /** So the advice names the right to create, too, although only the schema is read. */
  @Test
  void theFamiliesOfATableCantBeCheckedWithoutTheRightToCreate() {
    Throwable refusal =
        UserGroupInformation.createRemoteUser("writer")
            .doAs(
                (PrivilegedAction<Throwable>)
                    () -> {
                      try (KeyValueStore store = KeyValueStores.open(hbase.uri())) {
                        return catchThrowable(
                            () -> store.ensure(List.of(POINTS), SchemaMode.VERIFY));
                      }
                    });

    assertThat(refusal).hasMessageContaining("AccessDeniedException");
    assertThat(advice("writer", POINTS))
        .containsExactly("this user may not see table guarded: grant 'USER', 'RWC', 'guarded'");
  }

  @Test
  void whoMayDoNothingLearnsAlsoThatNoTableCanBeCreated() {
    assertThat(advice("stranger", POINTS, MISSING))
        .containsExactly(
            "this user may not create table absent: grant 'USER', 'RWC', 'absent'",
            "this user may not see, read, write table guarded: grant 'USER', 'RWC', 'guarded'");
  }
}
