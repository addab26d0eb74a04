package org.hourstone.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hourstone.testing.golden.GoldenContracts;
import org.hourstone.testkit.KeyValueStoreContract;
import org.junit.jupiter.api.Test;

/** The contract of everything leaves out nothing, and the page on backends explains each part. */
class HourstoneContractTest {
  private static final List<Path> SOURCES =
      List.of(Path.of("../engine-contracts/src/main/java"), Path.of("../../testkit/src/main/java"));
  private static final Path PAGE = Path.of("../../docs/write-your-own-backend.md");

  /** The wholes, and the contracts of servers: no store is tested by them. */
  private static final List<String> NO_PARTS =
      List.of(
          "StoreContract",
          "KeyValueStoreContract",
          "EngineContract",
          "HourstoneContract",
          "GoldenServerContract",
          "BesideContract");

  @Test
  void everyContractIsAPart() throws IOException {
    Set<String> parts =
        Stream.of(
                HourstoneContract.class,
                GoldenContracts.class,
                EngineContract.class,
                KeyValueStoreContract.class)
            .flatMap(contract -> Arrays.stream(contract.getDeclaredClasses()))
            .<Class<?>>map(Class::getSuperclass)
            .filter(part -> part != GoldenContracts.class)
            .map(Class::getSimpleName)
            .collect(Collectors.toCollection(TreeSet::new));

    assertThat(parts).isEqualTo(contracts());
  }

  @Test
  void thePageExplainsEveryPart() throws IOException {
    String page = Files.readString(PAGE);

    assertThat(contracts()).allSatisfy(part -> assertThat(page).contains("| `" + part + "` |"));
  }

  private static Set<String> contracts() throws IOException {
    Set<String> contracts = new TreeSet<>();
    for (Path sources : SOURCES) {
      try (Stream<Path> files = Files.walk(sources)) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith("Contract.java"))
            .map(name -> name.replace(".java", ""))
            .filter(name -> !NO_PARTS.contains(name))
            .forEach(contracts::add);
      }
    }
    return contracts;
  }
}
