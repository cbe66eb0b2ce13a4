"""What becomes of every option of a session and of a run: data, read by `options.py`.

A row is (what becomes of it, why). The kinds:

* WORKS: as in TF 1.15. A message that has a section of its own is looked at field by field.
* NO_MEANING: a hint about how TF computes, which has no counterpart here; results are the same.
* WARNS: what it asks for does not happen, which is said once.
* RAISES: what it asks for does not exist here: NotImplementedError.
* NOT_IN_TF1: a field of later versions of TF, which tensorboard's messages have: ValueError, as
  TF 1.15's messages say it.

The last sections are the arguments of functions, which say for themselves what they refuse.
"""

WORKS = "works"
NO_MEANING = "no meaning"
WARNS = "warns"
RAISES = "raises"
NOT_IN_TF1 = "not in TF 1.15"

_Section = dict[str, tuple[str, str]]

_REWRITES = "XLA decides what it rewrites"
_UNREAD = "without it what nobody reads is computed all the same"
_THREADS = "XLA and NumPy use the threads that there are"
_GPU_INNARDS = "JAX's client looks after the device"
_NO_CLUSTER = "there is one task"
_NO_TPU = "there is no TPU behind TF 1's interface"
_LATER = "a field of later versions"


def _section(later: str = "", **rows: tuple[str, str]) -> _Section:
    return {**rows, **dict.fromkeys(later.split(), (NOT_IN_TF1, _LATER))}


SECTIONS: dict[str, _Section] = {
    "ConfigProto": _section(
        device_count=(
            WORKS,
            "counts CPUs; no more GPUs are listed than it says; 0 hides them from the process, "
            "before JAX starts them: later it warns",
        ),
        intra_op_parallelism_threads=(NO_MEANING, _THREADS),
        inter_op_parallelism_threads=(NO_MEANING, _THREADS),
        use_per_session_threads=(NO_MEANING, _THREADS),
        session_inter_op_thread_pool=(NO_MEANING, "only their number counts, for RunOptions"),
        placement_period=(NO_MEANING, "TF 1.15 does not read it either"),
        device_filters=(WORKS, "the tasks that a session of a cluster sees"),
        gpu_options=(WORKS, ""),
        allow_soft_placement=(WORKS, "a device that is not there is another one then"),
        log_device_placement=(WORKS, "prints TF's lines"),
        graph_options=(WORKS, ""),
        operation_timeout_in_ms=(WORKS, "DeadlineExceededError; compiling does not count"),
        rpc_options=(NO_MEANING, "how TF's own calls between tasks are made"),
        cluster_def=(WORKS, "of a session on a server; else, of several, NotImplementedError"),
        isolate_session_state=(WORKS, "a session on servers has variables of its own"),
        experimental=(WORKS, ""),
        later="pluggable_device_options share_cluster_devices_in_session",
    ),
    "ConfigProto.Experimental": _section(
        collective_group_leader=(NO_MEANING, _NO_CLUSTER),
        executor_type=(WORKS, "any of TF's is the same; others are refused"),
        recv_buf_max_chunk=(NO_MEANING, _NO_CLUSTER),
        use_numa_affinity=(NO_MEANING, _THREADS),
        collective_deterministic_sequential_execution=(NO_MEANING, _NO_CLUSTER),
        collective_nccl=(NO_MEANING, _NO_CLUSTER),
        share_session_state_in_clusterspec_propagation=(NO_MEANING, _NO_CLUSTER),
        disable_thread_spinning=(NO_MEANING, _THREADS),
        share_cluster_devices_in_session=(NO_MEANING, _NO_CLUSTER),
        session_metadata=(NO_MEANING, "names the session in logs of the system"),
        optimize_for_static_graph=(NO_MEANING, "frees a copy of the graph, which there is not"),
        later="enable_mlir_bridge mlir_bridge_rollout enable_mlir_graph_optimization "
        "disable_output_partition_graphs xla_fusion_autotuner_thresh use_tfrt enable_multi_host "
        "tfrt_use_ifrt backend_server_port target_tpu target_gpu stream_merge_threshold "
        "disable_functional_ops_lowering xla_prefer_single_graph_cluster coordination_config "
        "disable_optimize_for_static_graph disable_eager_executor_streaming_enqueue "
        "finalize_function_library_runtime finalize_resource_manager tf2xla_dump_dir "
        "online_cost_analysis",
    ),
    "GPUOptions": _section(
        per_process_gpu_memory_fraction=(WORKS, "before JAX starts the GPU; later it warns"),
        allow_growth=(WORKS, "before JAX starts the GPU; later it warns"),
        visible_device_list=(WORKS, "before JAX starts the GPUs; later it warns"),
        allocator_type=(NO_MEANING, _GPU_INNARDS),
        deferred_deletion_bytes=(NO_MEANING, _GPU_INNARDS),
        polling_active_delay_usecs=(NO_MEANING, _GPU_INNARDS),
        polling_inactive_delay_msecs=(NO_MEANING, _GPU_INNARDS),
        force_gpu_compatible=(NO_MEANING, _GPU_INNARDS),
        experimental=(WORKS, ""),
    ),
    "GPUOptions.Experimental": _section(
        virtual_devices=(WARNS, "a GPU is one device, with all of its memory"),
        use_unified_memory=(WARNS, "arrays have to fit into the GPU's own memory"),
        num_dev_to_dev_copy_streams=(NO_MEANING, _GPU_INNARDS),
        collective_ring_order=(NO_MEANING, _GPU_INNARDS),
        timestamped_allocator=(NO_MEANING, _GPU_INNARDS),
        kernel_tracker_max_interval=(NO_MEANING, _GPU_INNARDS),
        kernel_tracker_max_bytes=(NO_MEANING, _GPU_INNARDS),
        kernel_tracker_max_pending=(NO_MEANING, _GPU_INNARDS),
        later="num_virtual_devices_per_gpu internal_fragmentation_fraction use_cuda_malloc_async "
        "disallow_retry_on_allocation_failure gpu_host_mem_limit_in_mb "
        "gpu_host_mem_disallow_growth gpu_system_memory_size_in_mb "
        "populate_pjrt_gpu_client_creation_info node_id stream_merge_options",
    ),
    "GraphOptions": _section(
        enable_recv_scheduling=(NO_MEANING, _NO_CLUSTER),
        optimizer_options=(WORKS, ""),
        build_cost_model=(WARNS, "RunMetadata.cost_graph stays empty"),
        build_cost_model_after=(NO_MEANING, "build_cost_model is what asks for something"),
        infer_shapes=(WORKS, "Session.graph_def has shapes"),
        place_pruned_graph=(WORKS, "the devices of what runs are looked at, not of the graph"),
        enable_bfloat16_sendrecv=(NO_MEANING, _NO_CLUSTER),
        timeline_step=(WARNS, "no timelines are written; RunOptions.trace_level gives them"),
        rewrite_options=(WORKS, ""),
    ),
    "OptimizerOptions": _section(
        do_common_subexpression_elimination=(NO_MEANING, _REWRITES),
        do_constant_folding=(NO_MEANING, _REWRITES),
        max_folded_constant_in_bytes=(NO_MEANING, _REWRITES),
        do_function_inlining=(NO_MEANING, _REWRITES),
        opt_level=(NO_MEANING, _REWRITES),
        global_jit_level=(NO_MEANING, "what pays is compiled in any case"),
        later="cpu_global_jit",
    ),
    "RewriterConfig": _section(
        layout_optimizer=(NO_MEANING, _REWRITES),
        constant_folding=(NO_MEANING, _REWRITES),
        shape_optimization=(NO_MEANING, _REWRITES),
        remapping=(NO_MEANING, _REWRITES),
        arithmetic_optimization=(NO_MEANING, _REWRITES),
        dependency_optimization=(WORKS, _UNREAD),
        loop_optimization=(NO_MEANING, _REWRITES),
        function_optimization=(NO_MEANING, _REWRITES),
        debug_stripper=(WARNS, "assertions and prints stay in the program"),
        disable_model_pruning=(NO_MEANING, _REWRITES),
        scoped_allocator_optimization=(NO_MEANING, _REWRITES),
        pin_to_host_optimization=(NO_MEANING, _REWRITES),
        implementation_selector=(NO_MEANING, _REWRITES),
        auto_mixed_precision=(WARNS, "everything is computed in the dtypes of the graph"),
        disable_meta_optimizer=(WORKS, _UNREAD),
        meta_optimizer_iterations=(NO_MEANING, _REWRITES),
        min_graph_nodes=(NO_MEANING, _REWRITES),
        memory_optimization=(NO_MEANING, _REWRITES),
        memory_optimizer_target_node_name_scope=(NO_MEANING, _REWRITES),
        meta_optimizer_timeout_ms=(NO_MEANING, _REWRITES),
        auto_parallel=(WORKS, ""),
        fail_on_optimizer_errors=(NO_MEANING, _REWRITES),
        scoped_allocator_opts=(NO_MEANING, _REWRITES),
        optimizers=(NO_MEANING, "TF 1.15 says nothing of names that it does not know either"),
        custom_optimizers=(WARNS, "graphs are rewritten by XLA alone"),
        inter_optimizer_verifier_config=(NO_MEANING, _REWRITES),
        post_optimization_verifier_config=(NO_MEANING, _REWRITES),
        later="cpu_layout_conversion common_subgraph_elimination auto_mixed_precision_mkl "
        "auto_mixed_precision_onednn_bfloat16 auto_mixed_precision_cpu disable_tfg_optimizer "
        "use_plugin_optimizers experimental_conditional_code_motion "
        "experimental_disable_compressed_tensor_optimization "
        "experimental_disable_folding_quantization_emulation",
    ),
    "AutoParallelOptions": _section(
        enable=(WARNS, "a program runs on one device"),
        num_replicas=(NO_MEANING, "only with `enable`"),
    ),
    "RunOptions": _section(
        trace_level=(WORKS, "fills RunMetadata.step_stats"),
        timeout_in_ms=(WORKS, "DeadlineExceededError; compiling does not count"),
        inter_op_thread_pool=(WORKS, "one that is not there is refused; else no meaning"),
        output_partition_graphs=(WORKS, "fills RunMetadata.partition_graphs"),
        debug_options=(WORKS, ""),
        report_tensor_allocations_upon_oom=(WORKS, "the error names the largest array anyway"),
        experimental=(WORKS, ""),
    ),
    "DebugOptions": _section(
        debug_tensor_watch_opts=(WORKS, "the run is the host's; file:// URLs, no servers"),
        global_step=(WORKS, "said in the dump"),
        reset_disk_byte_usage=(NO_MEANING, "the bytes on disk are not limited"),
    ),
    "DebugTensorWatch": _section(
        node_name=(WORKS, "* for all"),
        output_slot=(WORKS, ""),
        debug_ops=(WORKS, "those of TF 1.15"),
        debug_urls=(WORKS, "file://; grpc:// raises"),
        tolerate_debug_op_creation_failures=(WORKS, ""),
    ),
    "RunOptions.Experimental": _section(
        collective_graph_key=(NO_MEANING, _NO_CLUSTER),
        use_run_handler_pool=(NO_MEANING, _THREADS),
        later="run_handler_pool_options",
    ),
    # ---- Arguments of functions ----------
    "Server": _section(
        server_or_cluster_def=(WORKS, "of several machines only if that is allowed"),
        job_name=(WORKS, "names the devices"),
        task_index=(WORKS, "names the devices"),
        protocol=(WORKS, "grpc; others are refused as in TF"),
        config=(WORKS, "its devices are those of the server"),
        start=(WORKS, "before it the server answers no other process"),
    ),
    "ClusterSpec": _section(cluster=(WORKS, "")),
    "Saver": _section(
        var_list=(WORKS, ""),
        reshape=(WORKS, ""),
        sharded=(WORKS, ""),
        max_to_keep=(WORKS, ""),
        keep_checkpoint_every_n_hours=(WORKS, ""),
        name=(WORKS, ""),
        restore_sequentially=(WORKS, "recorded as control inputs"),
        saver_def=(WORKS, ""),
        builder=(WORKS, ""),
        defer_build=(WORKS, ""),
        allow_empty=(WORKS, ""),
        write_version=(WORKS, ""),
        pad_step_number=(WORKS, ""),
        save_relative_paths=(WORKS, ""),
        filename=(WORKS, ""),
    ),
    "RunConfig": _section(
        model_dir=(WORKS, ""),
        tf_random_seed=(WORKS, ""),
        save_summary_steps=(WORKS, ""),
        save_checkpoints_steps=(WORKS, ""),
        save_checkpoints_secs=(WORKS, ""),
        session_config=(WORKS, ""),
        keep_checkpoint_max=(WORKS, ""),
        keep_checkpoint_every_n_hours=(WORKS, ""),
        log_step_count_steps=(WORKS, ""),
        train_distribute=(WORKS, "a strategy"),
        device_fn=(WORKS, ""),
        protocol=(WORKS, "of the server, which is one of one task"),
        eval_distribute=(WORKS, "a strategy"),
        experimental_distribute=(WORKS, "strategies; a remote cluster raises"),
        experimental_max_worker_delay_secs=(NO_MEANING, "train_and_evaluate of workers raises"),
        session_creation_timeout_secs=(WORKS, "workers of a cluster wait for a session"),
    ),
    "TPURunConfig": _section(
        tpu_config=(WORKS, ""),
        evaluation_master=(WORKS, ""),
        master=(WORKS, ""),
        cluster=(WORKS, ""),
        kwargs=(WORKS, "those of RunConfig"),
    ),
    # `use_tpu=True` raises as TF does where there is no TPU; without it these are checked alone.
    "TPUConfig": _section(
        iterations_per_loop=(WORKS, "how often is logged"),
        num_shards=(NO_MEANING, _NO_TPU),
        num_cores_per_replica=(NO_MEANING, _NO_TPU),
        per_host_input_for_training=(NO_MEANING, _NO_TPU),
        tpu_job_name=(NO_MEANING, _NO_TPU),
        initial_infeed_sleep_secs=(NO_MEANING, _NO_TPU),
        input_partition_dims=(NO_MEANING, _NO_TPU),
        eval_training_input_configuration=(WORKS, "SLICED is refused without a TPU"),
        experimental_host_call_every_n_steps=(NO_MEANING, _NO_TPU),
    ),
    "LearnRunConfig": _section(
        master=(WORKS, ""),
        num_cores=(WORKS, "goes into tf_config, which TF 1.15 does not read either"),
        log_device_placement=(WORKS, "the same"),
        gpu_memory_fraction=(WORKS, "the same"),
        tf_random_seed=(WORKS, ""),
        save_summary_steps=(WORKS, ""),
        save_checkpoints_secs=(WORKS, ""),
        save_checkpoints_steps=(WORKS, ""),
        keep_checkpoint_max=(WORKS, ""),
        keep_checkpoint_every_n_hours=(WORKS, ""),
        log_step_count_steps=(WORKS, ""),
        protocol=(WORKS, ""),
        evaluation_master=(WORKS, ""),
        model_dir=(WORKS, ""),
        session_config=(WORKS, ""),
        session_creation_timeout_secs=(WORKS, "workers of a cluster wait for a session"),
    ),
}
