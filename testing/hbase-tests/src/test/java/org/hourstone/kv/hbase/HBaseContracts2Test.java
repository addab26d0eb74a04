package org.hourstone.kv.hbase;

@Part(1)
class HBaseContracts2Test extends HBaseContracts {}
