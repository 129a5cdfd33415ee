sc.parallelize(List.of(1, 2, 3), 2).map(x -> x + 1).collect()
record Point(int x, int y) {}
int twice(int x) { return x * 2; }
thisIsAnErrorOnPurpose
sc.parallelize(List.of("a", "b"), 2).mapToPair(w -> Pair.of(w, twice(1))).reduceByKey(Integer::sum).collect()
