;; What of the voice activity network takes time. Compiled to dense.wasm by WABT (README.md).
;;
;; dense: out[row] = max(floor, bias[row] + sum over column of weights[row][column] * input[column])
;; for `rows` rows, a multiple of 4, and `columns` columns, a multiple of 4. Pointers are in bytes, all of it is f32.
(module
  (memory (export "memory") 18)
  (func (export "dense")
    (param $weights i32) (param $input i32) (param $bias i32) (param $out i32)
    (param $rows i32) (param $columns i32) (param $floor f32)
    (local $stride i32) (local $end i32) (local $x i32) (local $value v128)
    (local $w0 i32) (local $w1 i32) (local $w2 i32) (local $w3 i32)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local.set $stride (i32.shl (local.get $columns) (i32.const 2)))
    (local.set $end (i32.add (local.get $input) (local.get $stride)))
    (loop $next_rows
      ;; Four rows side by side: each piece of the input is loaded once for all of them.
      (local.set $w0 (local.get $weights))
      (local.set $w1 (i32.add (local.get $w0) (local.get $stride)))
      (local.set $w2 (i32.add (local.get $w1) (local.get $stride)))
      (local.set $w3 (i32.add (local.get $w2) (local.get $stride)))
      (local.set $weights (i32.add (local.get $w3) (local.get $stride)))
      (local.set $s0 (v128.const f32x4 0 0 0 0))
      (local.set $s1 (local.get $s0))
      (local.set $s2 (local.get $s0))
      (local.set $s3 (local.get $s0))
      (local.set $x (local.get $input))
      (loop $next_columns
        (local.set $value (v128.load (local.get $x)))
        (local.set $s0 (f32x4.add (local.get $s0) (f32x4.mul (local.get $value) (v128.load (local.get $w0)))))
        (local.set $s1 (f32x4.add (local.get $s1) (f32x4.mul (local.get $value) (v128.load (local.get $w1)))))
        (local.set $s2 (f32x4.add (local.get $s2) (f32x4.mul (local.get $value) (v128.load (local.get $w2)))))
        (local.set $s3 (f32x4.add (local.get $s3) (f32x4.mul (local.get $value) (v128.load (local.get $w3)))))
        (local.set $w0 (i32.add (local.get $w0) (i32.const 16)))
        (local.set $w1 (i32.add (local.get $w1) (i32.const 16)))
        (local.set $w2 (i32.add (local.get $w2) (i32.const 16)))
        (local.set $w3 (i32.add (local.get $w3) (i32.const 16)))
        (br_if $next_columns
          (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end))))
      ;; The four sums of each row become one; lane k is row k.
      (local.set $value (call $sums (local.get $s0) (local.get $s1) (local.get $s2) (local.get $s3)))
      (v128.store (local.get $out)
        (f32x4.max
          (f32x4.splat (local.get $floor))
          (f32x4.add (local.get $value) (v128.load (local.get $bias)))))
      (local.set $out (i32.add (local.get $out) (i32.const 16)))
      (local.set $bias (i32.add (local.get $bias) (i32.const 16)))
      (br_if $next_rows (local.tee $rows (i32.sub (local.get $rows) (i32.const 4))))))

  ;; dense4: the same for four inputs, each `hop` bytes behind the one before, of which the outputs lie one behind the other.
  ;; The weights are loaded once for all of them. `rows` is a multiple of 2.
  (func (export "dense4")
    (param $weights i32) (param $input i32) (param $bias i32) (param $out i32)
    (param $rows i32) (param $columns i32) (param $hop i32) (param $floor f32)
    (local $stride i32) (local $end i32) (local $x i32) (local $outStride i32)
    (local $w0 i32) (local $w1 i32) (local $v0 v128) (local $v1 v128) (local $value v128)
    (local $x1 i32) (local $x2 i32) (local $x3 i32) (local $o i32)
    (local $a0 v128) (local $a1 v128) (local $a2 v128) (local $a3 v128)
    (local $b0 v128) (local $b1 v128) (local $b2 v128) (local $b3 v128)
    (local.set $stride (i32.shl (local.get $columns) (i32.const 2)))
    (local.set $outStride (i32.shl (local.get $rows) (i32.const 2)))
    (local.set $end (i32.add (local.get $input) (local.get $stride)))
    (loop $next_rows
      (local.set $w0 (local.get $weights))
      (local.set $w1 (i32.add (local.get $w0) (local.get $stride)))
      (local.set $weights (i32.add (local.get $w1) (local.get $stride)))
      (local.set $a0 (v128.const f32x4 0 0 0 0))
      (local.set $a1 (local.get $a0))
      (local.set $a2 (local.get $a0))
      (local.set $a3 (local.get $a0))
      (local.set $b0 (local.get $a0))
      (local.set $b1 (local.get $a0))
      (local.set $b2 (local.get $a0))
      (local.set $b3 (local.get $a0))
      (local.set $x (local.get $input))
      (local.set $x1 (i32.add (local.get $x) (local.get $hop)))
      (local.set $x2 (i32.add (local.get $x1) (local.get $hop)))
      (local.set $x3 (i32.add (local.get $x2) (local.get $hop)))
      (loop $next_columns
        (local.set $v0 (v128.load (local.get $w0)))
        (local.set $v1 (v128.load (local.get $w1)))
        (local.set $value (v128.load (local.get $x)))
        (local.set $a0 (f32x4.add (local.get $a0) (f32x4.mul (local.get $value) (local.get $v0))))
        (local.set $b0 (f32x4.add (local.get $b0) (f32x4.mul (local.get $value) (local.get $v1))))
        (local.set $value (v128.load (local.get $x1)))
        (local.set $a1 (f32x4.add (local.get $a1) (f32x4.mul (local.get $value) (local.get $v0))))
        (local.set $b1 (f32x4.add (local.get $b1) (f32x4.mul (local.get $value) (local.get $v1))))
        (local.set $value (v128.load (local.get $x2)))
        (local.set $a2 (f32x4.add (local.get $a2) (f32x4.mul (local.get $value) (local.get $v0))))
        (local.set $b2 (f32x4.add (local.get $b2) (f32x4.mul (local.get $value) (local.get $v1))))
        (local.set $value (v128.load (local.get $x3)))
        (local.set $a3 (f32x4.add (local.get $a3) (f32x4.mul (local.get $value) (local.get $v0))))
        (local.set $b3 (f32x4.add (local.get $b3) (f32x4.mul (local.get $value) (local.get $v1))))
        (local.set $w0 (i32.add (local.get $w0) (i32.const 16)))
        (local.set $w1 (i32.add (local.get $w1) (i32.const 16)))
        (local.set $x1 (i32.add (local.get $x1) (i32.const 16)))
        (local.set $x2 (i32.add (local.get $x2) (i32.const 16)))
        (local.set $x3 (i32.add (local.get $x3) (i32.const 16)))
        (br_if $next_columns
          (i32.lt_u (local.tee $x (i32.add (local.get $x) (i32.const 16))) (local.get $end))))
      ;; Lane k is input k; the outputs of one input lie beside each other.
      (local.set $a0
        (f32x4.max (f32x4.splat (local.get $floor))
          (f32x4.add (v128.load32_splat (local.get $bias))
            (call $sums (local.get $a0) (local.get $a1) (local.get $a2) (local.get $a3)))))
      (local.set $b0
        (f32x4.max (f32x4.splat (local.get $floor))
          (f32x4.add (v128.load32_splat offset=4 (local.get $bias))
            (call $sums (local.get $b0) (local.get $b1) (local.get $b2) (local.get $b3)))))
      (local.set $o (local.get $out))
      (v128.store32_lane 0 (local.get $o) (local.get $a0))
      (v128.store32_lane offset=4 0 (local.get $o) (local.get $b0))
      (local.set $o (i32.add (local.get $o) (local.get $outStride)))
      (v128.store32_lane 1 (local.get $o) (local.get $a0))
      (v128.store32_lane offset=4 1 (local.get $o) (local.get $b0))
      (local.set $o (i32.add (local.get $o) (local.get $outStride)))
      (v128.store32_lane 2 (local.get $o) (local.get $a0))
      (v128.store32_lane offset=4 2 (local.get $o) (local.get $b0))
      (local.set $o (i32.add (local.get $o) (local.get $outStride)))
      (v128.store32_lane 3 (local.get $o) (local.get $a0))
      (v128.store32_lane offset=4 3 (local.get $o) (local.get $b0))
      (local.set $out (i32.add (local.get $out) (i32.const 8)))
      (local.set $bias (i32.add (local.get $bias) (i32.const 8)))
      (br_if $next_rows (local.tee $rows (i32.sub (local.get $rows) (i32.const 2))))))

  ;; The sum of the lanes of each of the four, as lane 0 to 3.
  (func $sums (param $s0 v128) (param $s1 v128) (param $s2 v128) (param $s3 v128) (result v128)
    (local.set $s0
      (f32x4.add
        (i8x16.shuffle 0 1 2 3 16 17 18 19 8 9 10 11 24 25 26 27 (local.get $s0) (local.get $s1))
        (i8x16.shuffle 4 5 6 7 20 21 22 23 12 13 14 15 28 29 30 31 (local.get $s0) (local.get $s1))))
    (local.set $s2
      (f32x4.add
        (i8x16.shuffle 0 1 2 3 16 17 18 19 8 9 10 11 24 25 26 27 (local.get $s2) (local.get $s3))
        (i8x16.shuffle 4 5 6 7 20 21 22 23 12 13 14 15 28 29 30 31 (local.get $s2) (local.get $s3))))
    (f32x4.add
      (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $s0) (local.get $s2))
      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $s0) (local.get $s2))))

  ;; 1 / (1 + e^-x). e^y is 2^n * e^r with r within half of ln 2, by a polynomial of degree 6 (error below 1e-7).
  (func $sigmoid (param $x v128) (result v128)
    (local $n v128) (local $r v128) (local $e v128)
    (local.set $x
      (f32x4.max (v128.const f32x4 -80 -80 -80 -80)
        (f32x4.min (v128.const f32x4 80 80 80 80) (f32x4.neg (local.get $x)))))
    (local.set $n (f32x4.nearest (f32x4.mul (local.get $x) (f32x4.splat (f32.const 1.44269504)))))
    (local.set $r
      (f32x4.sub (f32x4.sub (local.get $x) (f32x4.mul (local.get $n) (f32x4.splat (f32.const 0.693359375))))
        (f32x4.mul (local.get $n) (f32x4.splat (f32.const -2.12194440e-4)))))
    (local.set $e (f32x4.splat (f32.const 1.388888889e-3)))
    (local.set $e (f32x4.add (f32x4.mul (local.get $e) (local.get $r)) (f32x4.splat (f32.const 8.333333333e-3))))
    (local.set $e (f32x4.add (f32x4.mul (local.get $e) (local.get $r)) (f32x4.splat (f32.const 4.166666667e-2))))
    (local.set $e (f32x4.add (f32x4.mul (local.get $e) (local.get $r)) (f32x4.splat (f32.const 1.666666667e-1))))
    (local.set $e (f32x4.add (f32x4.mul (local.get $e) (local.get $r)) (f32x4.splat (f32.const 0.5))))
    (local.set $e (f32x4.add (f32x4.mul (local.get $e) (local.get $r)) (f32x4.splat (f32.const 1))))
    (local.set $e (f32x4.add (f32x4.mul (local.get $e) (local.get $r)) (f32x4.splat (f32.const 1))))
    (local.set $e
      (f32x4.mul (local.get $e)
        (i32x4.shl
          (i32x4.add (i32x4.trunc_sat_f32x4_s (local.get $n)) (v128.const i32x4 127 127 127 127))
          (i32.const 23))))
    (f32x4.div (f32x4.splat (f32.const 1)) (f32x4.add (f32x4.splat (f32.const 1)) (local.get $e))))

  ;; 2 * sigmoid(2x) - 1.
  (func $tanh (param $x v128) (result v128)
    (local.set $x (call $sigmoid (f32x4.add (local.get $x) (local.get $x))))
    (f32x4.sub (f32x4.add (local.get $x) (local.get $x)) (f32x4.splat (f32.const 1))))

  ;; remember: the recurrent step. At `gates` lie what is taken in, what is kept, what is new and what is told, `bytes` each;
  ;; at `state` what was told, `bytes` of it, and behind it the cells. Gives the sum of weights * max(0, told).
  (func (export "remember")
    (param $gates i32) (param $state i32) (param $weights i32) (param $bytes i32) (result f32)
    (local $end i32) (local $keep i32) (local $fresh i32) (local $tell i32) (local $cells i32)
    (local $cell v128) (local $told v128) (local $sum v128)
    (local.set $end (i32.add (local.get $state) (local.get $bytes)))
    (loop $next
      (local.set $keep (i32.add (local.get $gates) (local.get $bytes)))
      (local.set $fresh (i32.add (local.get $keep) (local.get $bytes)))
      (local.set $tell (i32.add (local.get $fresh) (local.get $bytes)))
      (local.set $cells (i32.add (local.get $state) (local.get $bytes)))
      (local.set $cell
        (f32x4.add
          (f32x4.mul (call $sigmoid (v128.load (local.get $keep))) (v128.load (local.get $cells)))
          (f32x4.mul (call $sigmoid (v128.load (local.get $gates))) (call $tanh (v128.load (local.get $fresh))))))
      (v128.store (local.get $cells) (local.get $cell))
      (local.set $told (f32x4.mul (call $sigmoid (v128.load (local.get $tell))) (call $tanh (local.get $cell))))
      (v128.store (local.get $state) (local.get $told))
      (local.set $sum
        (f32x4.add (local.get $sum)
          (f32x4.mul (v128.load (local.get $weights))
            (f32x4.max (v128.const f32x4 0 0 0 0) (local.get $told)))))
      (local.set $gates (i32.add (local.get $gates) (i32.const 16)))
      (local.set $weights (i32.add (local.get $weights) (i32.const 16)))
      (br_if $next
        (i32.lt_u (local.tee $state (i32.add (local.get $state) (i32.const 16))) (local.get $end))))
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $sum)) (f32x4.extract_lane 1 (local.get $sum)))
      (f32.add (f32x4.extract_lane 2 (local.get $sum)) (f32x4.extract_lane 3 (local.get $sum))))))
