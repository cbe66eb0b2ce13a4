"""What TF's internal modules call what is in tf1compat under another name.

Only what takes the same arguments: the tests of client libraries call these.
"""

from __future__ import annotations

# TF's module (below tensorflow.python, or "contrib.…"), our module (below tf1compat), the names
# that differ: "TF's=ours", or just the name where both are the same.
_TABLE = (
    (
        "eager.backprop",
        "api.array.indexed_slices",
        "flatten_nested_indexed_slices=flatten_nested aggregate_indexed_slices_gradients=aggregate",
    ),
    (
        "eager.tape",
        "core.tape",
        "pop_tape=pop push_tape=push variable_accessed",
    ),
    (
        "framework.constant_op",
        "api.array.constant_op",
        "_constant_impl=_constant _constant_tensor_conversion_function=_convert_constant "
        "_tensor_shape_tensor_conversion_function=_convert_shape "
        "_dimension_tensor_conversion_function=_convert_dimension",
    ),
    (
        "framework.device_spec",
        "core.device",
        "DeviceSpecV1=DeviceSpec DeviceSpecV2",
    ),
    (
        "framework.dtypes",
        "core.dtypes",
        "_INTERN_TABLE=_INTERNED _TYPE_TO_STRING=TYPE_TO_STRING _STRING_TO_TF=STRING_TO_TF "
        "_TF_TO_NP=TF_TO_NP _NP_TO_TF=NP_TO_TF _PYTHON_TO_TF=PYTHON_TO_TF "
        "_np_qint8=np_qint8 _np_quint8=np_quint8 _np_qint16=np_qint16 _np_quint16=np_quint16 "
        "_np_qint32=np_qint32",
    ),
    (
        "framework.errors_impl",
        "core.errors",
        "_make_specific_exception=make_exception _CODE_TO_EXCEPTION_CLASS=_CODE_TO_CLASS "
        "_EXCEPTION_CLASS_TO_CODE=_CLASS_TO_CODE _compact_stack_trace=_compact_traceback",
    ),
    (
        "framework.func_graph",
        "api.functions.function_tracing",
        "func_graph_from_py_func UnknownArgument check_mutation=_check_mutation "
        "flatten=flatten_results convert_structure_to_signature=signature_of",
    ),
    (
        "framework.function",
        "api.functions.defun",
        "_DefinedFunction=DefinedFunction _OverloadedFunction=OverloadedFunction "
        "get_extra_vars get_extra_inputs get_extra_args _FuncGraph=DefunGraph from_library "
        "func_graph_from_py_func",
    ),
    (
        "framework.tensor_util",
        "core.tensor_proto",
        "_FlattenToStrings=_flatten_lists _AssertCompatible=_check_types "
        "_GetDenseDimensions=_dense_dimensions _is_array_like",
    ),
    (
        "framework.tensor_util",
        "core.tensor_util",
        "_ConstantValue=_value",
    ),
    (
        "framework.type_spec",
        "core.type_spec",
        "_type_spec_from_value=type_spec_from_value",
    ),
    (
        "keras.backend",
        "api.keras.backend",
        "_initialize_variables=initialize_variables _get_session=get_session",
    ),
    (
        "keras.backend",
        "api.keras.backend_nn",
        "_preprocess_padding=_padding",
    ),
    (
        "keras.engine.training_utils",
        "api.keras.engine.standardize",
        "standardize_sample_or_class_weights=_standardize_any_weights",
    ),
    (
        "keras.engine.base_layer_utils",
        "api.keras.engine.base_layer_utils",
        "_create_keras_history_helper=_create_keras_history",
    ),
    (
        "keras.engine.base_layer_utils",
        "api.keras.engine.call_context",
        "CallContext",
    ),
    (
        "keras.engine.training",
        "api.keras.engine.training_endpoint",
        "_TrainingEndpoint=TrainingEndpoint",
    ),
    (
        "layers.utils",
        "api.keras.utils.conv_utils",
        "conv_input_length",
    ),
    (
        "ops.array_ops",
        "api.array.slicing",
        "_check_index",
    ),
    (
        "keras.utils.mode_keys",
        "api.saved_model.model_utils.mode_keys",
        "ModeKeys=KerasModeKeys",
    ),
    (
        "ops.losses.loss_reduction",
        "api.keras.utils.losses_utils",
        "ReductionV2",
    ),
    (
        "ops.check_ops",
        "api.checks.check_ops",
        "_get_diff_for_monotonic_comparison=_differences",
    ),
    (
        "ops.check_ops",
        "api.checks.check_shapes",
        "_dimension_sizes",
    ),
    (
        "ops.control_flow_ops",
        "api.control_flow.control_flow_case",
        "_case_helper=case_by",
    ),
    (
        "ops.control_flow_ops",
        "api.control_flow.loop_nodes",
        "_Enter=enter _NextIteration=next_iteration _AddNextAndBackEdge=add_back_edge "
        "_ShapeLessThanOrEqual=covers _get_shape_invariant=shape_invariant "
        "_SetShapeInvariants=set_shape_invariants _EnforceShapeInvariant=_check_invariant",
    ),
    (
        "ops.control_flow_state",
        "api.control_flow.control_flow_state",
        "_ControlFlowState=ControlFlowState "
        "MaybeCreateControlFlowState=maybe_create_control_flow_state "
        "ZerosLikeOutsideLoop=zeros_like_outside_loop",
    ),
    (
        "ops.control_flow_state",
        "api.control_flow.grad_loop_state",
        "_GradLoopState=GradLoopState",
    ),
    (
        "ops.custom_gradient",
        "api.gradients.custom_gradient",
        "get_dependent_variables=_variables_between get_variable_by_name=_variable_named "
        "VAR_OP_TYPES=_VARIABLE_OPS",
    ),
    (
        "ops.data_flow_ops",
        "api.queues.data_flow_ops",
        "_as_type_list=_type_list _as_name_list=_name_list _as_shape_list=_shape_list "
        "_shape_common=_common_shape",
    ),
    (
        "ops.gradient_checker",
        "api.gradients.gradient_checker",
        "_compute_dx_and_dy=_dx_and_dy",
    ),
    (
        "ops.gradient_checker_v2",
        "api.gradients.gradient_checker_v2",
        "_compute_gradient",
    ),
    (
        "ops.gradients_util",
        "api.gradients.gradient_aggregation",
        "_MultiDeviceAddN=_add_by_device",
    ),
    (
        "ops.gradients_util",
        "api.gradients.gradients_walk",
        "IsTrainable=is_trainable _IsBackpropagatable=is_backpropagatable _AsList=as_list "
        "_GradientsHelper=gradients _DefaultGradYs=_initial_gradients "
        "_maybe_colocate_with=_colocate _GetGrads=gradients_of",
    ),
    (
        "ops.init_ops",
        "api.random.init_ops",
        "_assert_float_dtype=_float_dtype",
    ),
    (
        "ops.math_ops",
        "api.math.math_ops",
        "_OverrideBinaryOperatorHelper=override_binary_operator",
    ),
    (
        "ops.math_ops",
        "api.sparse.sparse_ops",
        "_sparse_dense_truediv=_sparse_dense_truediv",
    ),
    (
        "ops.math_ops",
        "api.array.indexed_slices",
        "_as_indexed_slices=from_tensor _as_indexed_slices_list=from_tensors",
    ),
    (
        "ops.nn_grad",
        "kernels.nn.norm",
        "_BatchNormGrad=recorded_grad",
    ),
    (
        "ops.nn_grad",
        "kernels.nn.nn",
        "_BroadcastMul=_times_rows",
    ),
    ("keras", "api.keras.saving.saving_utils", "__version__=KERAS_VERSION"),
    (
        "ops.array_grad",
        "kernels.array.concat_grad",
        "_ConcatGradHelper=concat_gradient",
    ),
    (
        "ops.math_grad",
        "kernels.framework.common",
        "SmartBroadcastGradientArgs=smart_broadcast_gradient_args",
    ),
    (
        "ops.math_grad",
        "kernels.math.reduction",
        "_safe_shape_div",
    ),
    (
        "ops.nn_ops",
        "api.nn.nn_convolution",
        "_with_space_to_batch_base_paddings=_base_paddings "
        "_with_space_to_batch_adjust=_adjusted "
        "_get_strides_and_dilation_rate=_strides_and_rate",
    ),
    (
        "ops.nn_ops",
        "api.nn.nn_ops",
        "_get_noise_shape=_noise_shape _get_sequence=_sequence _convert_padding=_padding",
    ),
    (
        "ops.nn_ops",
        "api.nn.nn_softmax",
        "_flatten_outer_dims _softmax _ensure_xent_args=ensure_named",
    ),
    (
        "ops.resource_variable_ops",
        "api.variables.resource_variable_ops",
        "_dense_var_to_tensor=_to_tensor _to_proto_fn=_to_proto",
    ),
    (
        "ops.resource_variable_ops",
        "core.tape",
        "variable_accessed",
    ),
    (
        "ops.script_ops",
        "api.functions.script_ops",
        "py_func_common=_py_func _py_funcs=functions FuncRegistry=_Functions "
        "EagerFunc=EagerFunction",
    ),
    (
        "ops.signal.fft_ops",
        "api.signal.fft_ops",
        "_maybe_pad_for_rfft=_padded",
    ),
    (
        "ops.signal.mel_ops",
        "api.signal.mel_ops",
        "_validate_arguments=_validate",
    ),
    (
        "ops.special_math_ops",
        "api.math.special_math_ops",
        "_einsum_reduction=_contract _reshape_if_necessary=_reshaped "
        "_transpose_if_necessary=_transposed _get_shape=_sizes _total_size=_total",
    ),
    (
        "ops.standard_ops",
        "api.math.math_elementwise",
        "arg_max arg_min",
    ),
    (
        "ops.string_ops",
        "api.text.string_ops",
        "_reduce_join_reduction_dims=_reduced_dims",
    ),
    (
        "ops.variable_scope",
        "api.variables.variable_store",
        "_get_slice_dim_and_num_slices=_axis_and_count _call_partitioner _iter_slices=_parts",
    ),
    (
        "platform.flags",
        "api.platform.flags",
        "_FlagValuesWrapper=_ImplicitFlagValues _wrap_define_function=_with_old_names "
        "_RENAMED_ARGUMENTS=_RENAMED",
    ),
    (
        "training.input",
        "api.training.input",
        "_as_tensor_list=_as_list _as_tensor_list_list=_as_lists _as_original_type=_like",
    ),
    (
        "training.moving_averages",
        "api.training.moving_averages",
        "_zero_debias=_assign_unbiased",
    ),
    (
        "training.optimizer",
        "api.training.optimizer",
        "_DenseResourceVariableProcessor=_ResourceVariableProcessor",
    ),
    (
        "training.tracking.base",
        "api.training.tracking.base",
        "_DeferredSlotVariableRestoration=DeferredSlotVariableRestoration "
        "_SlotVariableRestoration=SlotVariableRestoration",
    ),
    (
        "training.tracking.data_structures",
        "api.training.tracking.data_structures",
        "_wrap_or_unwrap=wrap",
    ),
    (
        "contrib.quantize.python.common",
        "api.contrib.quantize.common",
        "CreateOrGetQuantizationStep=create_or_get_quantization_step RerouteTensor=reroute_tensor",
    ),
    (
        "contrib.quantize.python.common",
        "api.contrib.quantize.fold_batch_norms",
        "BatchNormGroups=_groups GetEndpointActivationOp=_endpoint _BATCHNORM_RE=_BATCH_NORM",
    ),
    (
        "contrib.cudnn_rnn.python.layers.cudnn_rnn",
        "api.contrib.cudnn_rnn.cudnn_rnn_ops",
        "CUDNN_INPUT_AUTO_MODE CUDNN_INPUT_SKIP_MODE CUDNN_RNN_BIDIRECTION",
    ),
    (
        "contrib.learn.python.learn.utils.inspect_checkpoint",
        "api.tools.inspect_checkpoint",
        "FLAGS main print_tensors_in_checkpoint_file",
    ),
    (
        "contrib.opt.python.training.agn_optimizer",
        "api.contrib.opt.initialization_hook",
        "GLOBAL_VARIABLE_NAME",
    ),
    (
        "contrib.opt.python.training.elastic_average_optimizer",
        "api.contrib.opt.initialization_hook",
        "GLOBAL_VARIABLE_NAME",
    ),
    ("autograph.impl.api", "api.autograph.impl.api", "to_graph_v1=to_graph to_code_v1=to_code"),
    (
        "ops.variables",
        "api.variables.abstract_variable",
        "AbstractVariable AbstractVariableMetaclass",
    ),
    ("keras.callbacks", "api.keras.callbacks_tensorboard", "TensorBoard"),
    (
        "keras.optimizers",
        "api.keras.optimizer_v1",
        "Optimizer SGD RMSprop Adagrad Adadelta Adam Adamax Nadam sgd=SGD rmsprop=RMSprop "
        "adagrad=Adagrad adadelta=Adadelta adam=Adam adamax=Adamax nadam=Nadam",
    ),
    (
        "keras.backend",
        "api.keras.backend_names",
        "py_all py_any py_sum cast_variables_to_tensor is_tpu_strategy",
    ),
    (
        "keras.distribute.distributed_training_utils",
        "api.keras.backend_names",
        "is_tpu_strategy",
    ),
    (
        "training.tracking.data_structures",
        "api.training.tracking.tracking",
        "sticky_attribute_assignment=tracked_attribute",
    ),
    (
        "framework.tensor_util",
        "api.framework.fast_tensor_util",
        "GetNumpyAppendFn FastAppendBFloat16ArrayToTensorProto=AppendBFloat16ArrayToTensorProto "
        "SlowAppendBFloat16ArrayToTensorProto=AppendBFloat16ArrayToTensorProto "
        "SlowAppendFloat16ArrayToTensorProto=AppendFloat16ArrayToTensorProto",
    ),
    (
        "framework.test_util",
        "api.framework.equal_graph_def",
        "assert_equal_graph_def_v1=assert_equal_graph_def",
    ),
    (
        "ops.image_ops_impl",
        "api.image.image_resize",
        "resize_area_deprecation resize_bicubic_deprecation resize_bilinear_deprecation "
        "resize_nearest_neighbor_deprecation",
    ),
    ("ops.array_ops", "api.array.slicing", "NEW_AXIS SHRINK_AXIS"),
    (
        "ops.stateless_random_ops",
        "api.random.random_ops",
        "stateless_multinomial_categorical_impl",
    ),
    ("ops.linalg_ops_impl", "api.linalg.linalg_ops", "eye"),
    ("profiler.internal.flops_registry", "api.profiler.flops_registry", "IMPLEMENTED_OPS"),
    (
        "eager.function",
        "api.functions.concrete_function",
        "FORWARD_FUNCTION_ATTRIBUTE_NAME=_FORWARD BACKWARD_FUNCTION_ATTRIBUTE_NAME=_BACKWARD",
    ),
    ("ops.custom_gradient", "core.handle_data", "copy_handle_data"),
    (
        "ops.resource_variable_ops",
        "core.handle_data",
        "get_resource_handle_data get_eager_safe_handle_data",
    ),
    (
        "ops.variable_scope",
        "api.variables.variable_scope",
        "variable_creator_scope_v1=variable_creator_scope",
    ),
    (
        "framework.auto_control_deps",
        "api.functions.auto_control_deps",
        "_ALL_BLACKLISTED_OPS=_UNORDERED",
    ),
    ("eager.context", "api.contrib.eager", "set_execution_mode"),
    ("client.session", "core.session_interface", "SessionInterface"),
    ("client.session", "core.session_conversions", "_REGISTERED_EXPANSIONS=expansions"),
    ("client.session", "runtime.devices", "_DeviceAttributes"),
    (
        "client.session",
        "runtime.fetch_mappers",
        "_FetchMapper=FetchMapper _ElementFetchMapper=ElementFetchMapper "
        "_ListFetchMapper=ListFetchMapper _DictFetchMapper=DictFetchMapper "
        "_AttrsFetchMapper=AttrsFetchMapper _FetchHandler=FetchHandler "
        "_uniquify_fetches=uniquify_fetches _is_attrs_instance=is_attrs_instance "
        "_get_attrs_values=get_attrs_values _name_list=name_list "
        "_convert_to_numpy_obj=convert_to_numpy_obj",
    ),
    *(
        (
            module,
            "api.autograph.operators.value_statements",
            "for_stmt if_stmt while_stmt tf_if_stmt",
        )
        for module in ("autograph.operators", "autograph.operators.control_flow")
    ),
    *(
        (module, "api.autograph.operators.data_structures", "new_list=new_list_or_tensor")
        for module in ("autograph.operators", "autograph.operators.data_structures")
    ),
    (
        "autograph.impl.conversion",
        "api.autograph.impl.ast_conversion",
        "convert=convert_entity convert_class_to_ast convert_entity_to_ast convert_func_to_ast "
        "node_to_graph",
    ),
    (
        "eager.def_function",
        "api.functions.function",
        "Function=TracedFunction RUN_FUNCTIONS_EAGERLY=_run_functions_eagerly",
    ),
    (
        "eager.def_function",
        "api.functions.function_variables",
        "UnliftedInitializerVariable",
    ),
    ("ops.data_flow_ops", "api.queues.record_input", "RecordInput"),
    (
        "feature_column.feature_column_v2",
        "api.nn.embedding_ops",
        "_prune_invalid_ids _prune_invalid_weights",
    ),
    (
        "framework.indexed_slices",
        "core.conversion",
        "internal_convert_to_tensor_or_indexed_slices "
        "internal_convert_n_to_tensor_or_indexed_slices convert_n_to_tensor_or_indexed_slices",
    ),
    ("framework.ops", "core.scopes", "_colocate_with=colocate_with"),
    ("framework.sparse_tensor", "core.scopes", "_eval_using_default_session"),
    ("keras.engine.network", "api.keras.engine.network_saving", "_is_hdf5_filepath"),
    (
        "keras.engine.network",
        "api.keras.engine.network_maps",
        "_make_node_key=make_node_key _map_graph_network=map_graph_network "
        "_map_subgraph_network=map_subgraph_network",
    ),
    (
        "keras.saving.saved_model.save",
        "api.keras.saving.saved_model.layer_functions",
        "LayerCall LayerCallCollection layer_uses_training_bool=_uses_training",
    ),
    (
        "keras.saving.saved_model.utils",
        "api.keras.saving.saved_model.layer_functions",
        "use_wrapped_call",
    ),
    (
        "keras.distribute.distributed_training_utils",
        "api.keras.engine.training_distributed",
        "validate_callbacks=_check_callbacks validate_inputs=_check_inputs",
    ),
    # TF's two forms of the layer have a base; here one is the other's.
    (
        "keras.layers.normalization",
        "api.keras.layers.normalization",
        "BatchNormalizationBase=BatchNormalization",
    ),
    ("keras.utils.losses_utils", "api.losses.losses_impl", "_num_elements _safe_mean"),
    (
        "keras.utils.layer_utils",
        "api.training.tracking.layer_utils",
        "gather_trainable_weights gather_non_trainable_weights",
    ),
    ("layers.utils", "api.keras.utils.generic_utils", "object_list_uid"),
    ("ops.array_ops", "api.array.sequence_ops", "_all_dimensions _with_nonzero_rank"),
    (
        "ops.control_flow_ops",
        "api.control_flow.control_flow_context",
        "from_control_flow_context_def",
    ),
    (
        "ops.distributions.transformed_distribution",
        "api.distributions.static",
        "_logical_and=logical_and _logical_not=logical_not _ones_like=ones_like",
    ),
    (
        "ops.image_ops_impl",
        "api.image.image_quality",
        "_fspecial_gauss _ssim_helper _ssim_per_channel _verify_compatible_image_shapes",
    ),
    ("ops.image_ops_impl", "api.image.image_files", "_is_png"),
    ("ops.image_ops_impl", "api.image.image_flip", "_flip _random_flip"),
    (
        "ops.signal.spectral_ops",
        "api.signal.spectral_ops",
        "_enclosing_power_of_two=_next_power_of_two",
    ),
    (
        "contrib.distributions.python.ops.bijectors.masked_autoregressive",
        "api.contrib.distributions.bijectors.flows",
        "_clip_by_value_preserve_grad=_clipped_in_value _gen_mask _gen_slices",
    ),
    (
        "contrib.image.python.ops.interpolate_spline",
        "api.contrib.image.interpolate_spline",
        "_cross_squared_distance_matrix=_squared_distances_between "
        "_pairwise_squared_distance_matrix=_squared_distances _solve_interpolation=_weights",
    ),
    (
        "contrib.image.python.ops.sparse_image_warp",
        "api.contrib.image.sparse_image_warp",
        "_add_zero_flow_controls_at_boundary=_held_at_the_edge _expand_to_minibatch=_in_batch "
        "_get_boundary_locations=_on_the_edge _get_grid_locations=_pixels",
    ),
    (
        "ops.image_ops_impl",
        "api.image.image_checks",
        "_AssertAtLeast3DImage=checked_image _AssertGrayscaleImage=checked_grayscale "
        "_ImageDimensions=dimensions",
    ),
    (
        "ops.variables",
        "api.variables.initial_values",
        "_try_guard_against_uninitialized_dependencies=guard_against_uninitialized_dependencies "
        "_has_cycle _safe_initial_value_from_tensor=_safe_tensor "
        "_safe_initial_value_from_op=_safe_operation "
        "_find_initialized_value_for_variable=_initialized_value",
    ),
    ("ops.image_ops_impl", "core.tensor_util", "_is_tensor=is_tensor"),
    ("ops.math_ops", "api.math.math_elementwise", "_mul=mul _neg=neg _sub=sub"),
    ("ops.op_selector", "api.contrib.graph_editor.util", "check_graphs"),
    ("ops.ragged.ragged_tensor", "core.scopes", "_eval_using_default_session"),
    (
        "ops.ragged.ragged_tensor",
        "api.ragged.ragged_checks",
        "_assert_monotonic_increasing=assert_monotonic_increasing _assert_zero=assert_zero",
    ),
    (
        "ops.tensor_array_ops",
        "api.control_flow.tensor_array_v2",
        "_EagerTensorArray=EagerTensorArray _GraphTensorArrayV2=GraphTensorArrayV2",
    ),
    ("tools.saved_model_cli", "api.tools.saved_model_utils", "get_meta_graph_def"),
    ("training.basic_session_run_hooks", "api.training.hook_timers", "_HookTimer"),
    ("training.tracking.data_structures", "api.contrib.checkpoint.containers", "List Mapping"),
    (
        "training.tracking.util",
        "api.training.tracking.load_status",
        "_LoadStatus _CheckpointRestoreCoordinator=CheckpointRestoreCoordinator "
        "_NameBasedRestoreCoordinator=NameBasedRestoreCoordinator",
    ),
    (
        "util.nest",
        "core.nest",
        "_yield_sorted_items=_items _yield_value=_children _sequence_like=_like _DotString=_Dot "
        "_is_composite_tensor=is_composite",
    ),
    ("distribute.input_ops", "api.distribute.input_ops", "_clone_dataset=clone_dataset"),
    (
        "ops.image_ops_impl",
        "api.image.image_color",
        "_rgb_to_yiq_kernel=_RGB_TO_YIQ _yiq_to_rgb_kernel=_YIQ_TO_RGB "
        "_rgb_to_yuv_kernel=_RGB_TO_YUV _yuv_to_rgb_kernel=_YUV_TO_RGB",
    ),
    ("ops.image_ops_impl", "api.image.image_quality", "_MSSSIM_WEIGHTS"),
    (
        "ops.image_ops_impl",
        "api.image.image_checks",
        "_assert _Assert3DImage _Check3DImage _CheckAtLeast3DImage _CheckGrayscaleImage",
    ),
    (
        "distribute.all_reduce",
        "api.distribute.all_reduce",
        "_flatten_tensors=_flat _reshape_tensors=_as_before",
    ),
    (
        "ops.ragged.ragged_factory_ops",
        "api.ragged.ragged_factory_ops",
        "_find_scalar_and_max_depth=_depths _default_inner_shape_for_pylist=_inner_shape",
    ),
    (
        "ops.summary_ops_v2",
        "api.summary.summary_ops_v2",
        "_should_record_summaries_internal=_should_record",
    ),
    ("ops.template", "api.variables.template", "_skip_common_stack_elements=_own_part"),
    ("ops.tensor_array_grad", "kernels.control_flow.tensor_array", "_GetGradSource=_call_of"),
)

# "tensorflow.python.ops.math_ops._as_indexed_slices" -> (our module, the name there)
NAMES: dict[str, tuple[str, str]] = {}
for _module, _ours, _names in _TABLE:
    for _name in _names.split():
        _theirs, _, _own = _name.partition("=")
        _root = "" if _module.startswith("contrib.") else "python."
        NAMES[f"tensorflow.{_root}{_module}.{_theirs}"] = (f"tf1compat.{_ours}", _own or _theirs)
