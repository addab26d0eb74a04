package org.hourstone.kv.rocksdb;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.hourstone.kv.FamilyCodec;
import org.hourstone.kv.FamilySpec;
import org.hourstone.kv.ForwardingStore;
import org.hourstone.kv.SchemaMode;
import org.hourstone.kv.StoreOptions;

/** A RocksDB store that codes all families it creates. */
final class CodingStore extends ForwardingStore {
  private final FamilyCodec codec;

  CodingStore(Path directory, StoreOptions options, FamilyCodec codec) {
    super(RocksDbStore.open(directory, RocksDbOptions.defaults(), options));
    this.codec = codec;
  }

  @Override
  public void ensure(Collection<FamilySpec> families, SchemaMode mode) {
    List<FamilySpec> coded =
        families.stream()
            .map(spec -> new FamilySpec(spec.family(), spec.singleVersion(), codec))
            .toList();
    super.ensure(coded, mode);
  }
}
