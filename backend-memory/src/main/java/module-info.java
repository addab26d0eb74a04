/** A store on the heap, for tests. */
module org.hourstone.kv.memory {
  requires static org.jspecify;
  requires transitive org.hourstone.core;

  exports org.hourstone.kv.memory;

  provides org.hourstone.kv.KeyValueStoreProvider with
      org.hourstone.kv.memory.MemoryStoreProvider;
}
