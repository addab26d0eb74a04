package org.hourstone.kv.rocksdb;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.hourstone.kv.Columns;
import org.hourstone.kv.Family;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.kv.KeyValueStores;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreException;

/** Another process that opens a store, writes to it and reads that back. */
final class StoreUser {
  static final String SUCCESS = "written and read";

  private StoreUser() {}

  /** What the process says: {@link #SUCCESS}, or the outcome and message of its failure. */
  static String run(Path directory, String... jvmOptions) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of(jvmOptions));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(StoreUser.class.getName(), "rocksdb:" + directory));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    process.waitFor();
    return said;
  }

  public static void main(String[] arguments) {
    Family family = new Family("table", "f");
    byte[] row = {1};
    try (KeyValueStore store = KeyValueStores.open(arguments[0])) {
      store.ensure(List.of(new FamilySpec(family, false)), SchemaMode.CREATE);
      store.put(family, row, row, row);
      if (store.get(family, row, Columns.all()).size() == 1) {
        System.out.println(SUCCESS);
      }
    } catch (StoreException e) {
      System.out.println(e.outcome() + " " + e.getMessage());
    }
  }
}
